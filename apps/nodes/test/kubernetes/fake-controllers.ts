import { createHash } from 'node:crypto'
import { type FakeStore, isTree, type Stored, type Tree } from './fake-store.js'

type Reference = { readonly uid: string }

/** What kube-controller-manager does for a machine: pods of StatefulSets, binding of claims, garbage collection. */
export class FakeControllers {
  private isPending = false

  constructor(
    private readonly store: FakeStore,
    private readonly namespace: string,
  ) {
    store.onHappening(() => this.soon())
  }

  private soon(): void {
    if (this.isPending) return
    this.isPending = true
    setImmediate(() => {
      this.isPending = false
      this.collect()
      for (const set of this.store.list(this.of('apis/apps/v1', 'statefulsets'))) this.followSet(set)
      for (const claim of this.store.list(this.of('api/v1', 'persistentvolumeclaims'))) this.bind(claim)
    })
  }

  private collect(): void {
    const all = this.store.all()
    const living = new Set(all.map(([, { metadata }]) => metadata.uid))
    for (const [collection, { metadata }] of all) {
      const owners = (metadata.ownerReferences ?? []) as unknown as Reference[]
      if (owners.length === 0 || owners.some(({ uid }) => living.has(uid))) continue
      const isRunning = collection.endsWith('/pods') && this.store.get(collection, metadata.name)?.spec
      if (isRunning && (isRunning as Tree).nodeName) this.end(metadata.name)
      else this.store.drop(collection, metadata.name)
    }
  }

  private followSet(set: Stored): void {
    const { replicas, template } = set.spec as unknown as { replicas: number; template: { metadata: Tree; spec: Tree } }
    const { name, uid, generation } = set.metadata
    const revision = `${name}-${createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10)}`
    const pods = this.of('api/v1', 'pods')
    const pod = this.store.get(pods, `${name}-0`)
    const status = { observedGeneration: generation, updateRevision: revision, replicas: pod ? 1 : 0 }
    this.store.merge(this.of('apis/apps/v1', 'statefulsets'), name, { metadata: { name }, status })
    if (replicas === 0 && pod) this.end(`${name}-0`)
    if (replicas === 0 || pod) return
    const labels = { ...(template.metadata.labels as Tree), 'controller-revision-hash': revision }
    const ownerReferences = [{ kind: 'StatefulSet', name, uid }]
    const metadata = { ...template.metadata, name: `${name}-0`, labels, ownerReferences }
    const made = { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec, status: { phase: 'Pending' } }
    this.store.save(pods, made as unknown as Stored)
  }

  private end(name: string): void {
    const pods = this.of('api/v1', 'pods')
    const pod = this.store.get(pods, name)
    if (!pod || pod.metadata.deletionTimestamp) return
    if (isTree(pod.spec) && pod.spec.nodeName)
      this.store.merge(pods, name, { metadata: { name, deletionTimestamp: '2026-01-01T00:00:00Z' } })
    else this.store.drop(pods, name)
  }

  private bind(claim: Stored): void {
    const { name, uid } = claim.metadata
    const volume = this.store.list('/api/v1/persistentvolumes').find(({ spec }) => ((spec as Tree).claimRef as Tree).uid === uid)
    const status = volume ? { phase: 'Bound', capacity: (volume.spec as Tree).capacity } : { phase: 'Pending' }
    const spec = volume && { volumeName: volume.metadata.name }
    this.store.merge(this.of('api/v1', 'persistentvolumeclaims'), name, { metadata: { name }, status, ...(spec && { spec }) })
  }

  private of(api: string, resource: string): string {
    return `/${api}/namespaces/${this.namespace}/${resource}`
  }
}

import { Informer } from './informer.engine.js'
import type { KubernetesClient } from './kubernetes.client.js'
import { MACHINE } from './labels.js'
import { referencesOf } from './manifests.js'
import { type KubernetesObject, OBJECT_KINDS, type ObjectKind } from './objects.js'
import type { MachineObjects } from './observed-machine.js'

interface ObjectCacheSettings {
  readonly labelSelector: string
  /** The cache is not used for this long after a change of ours. */
  readonly ownChangeMs: number
}

/** One Secret of all is read in this time. */
const SECRET_MS = 500

/** The objects of all machines, kept current by watches. The Role does not allow to list Secrets, so those are read one at a time, in turn. */
export class ObjectCache {
  private readonly informers: ReadonlyMap<ObjectKind, Informer>
  private readonly changedAt = new Map<string, number>()
  private readonly secretsVerifiedAt = new Map<string, number>()

  constructor(
    client: KubernetesClient,
    private readonly settings: ObjectCacheSettings,
    listener: (machine: string) => void,
  ) {
    const notify = ({ metadata }: KubernetesObject) => {
      const machine = metadata.labels?.[MACHINE]
      if (machine) listener(machine)
    }
    const kinds = OBJECT_KINDS.filter((kind) => kind !== 'Secret')
    this.informers = new Map(kinds.map((kind) => [kind, new Informer(client, { kind, labelSelector: settings.labelSelector }, notify)]))
  }

  stop(): void {
    for (const informer of this.informers.values()) informer.stop()
  }

  /** The objects of a machine but its Secret; undefined while the cache may be stale. */
  async find(id: string): Promise<MachineObjects | undefined> {
    const informers = [...this.informers.values()]
    await Promise.all(informers.map(({ tried }) => tried))
    if (this.hasJustChanged(id) || informers.some(({ isCurrent }) => !isCurrent)) return undefined
    const objects = referencesOf(id).map(({ kind, name }) => this.informers.get(kind)?.objects.get(name))
    return objects.filter((object) => object !== undefined)
  }

  /** Call it before and after a change: what is read in between may be the old or the new state. */
  changing(id: string): void {
    const now = performance.now()
    this.changedAt.delete(id)
    this.changedAt.set(id, now)
    for (const [each, at] of this.changedAt) {
      if (now - at < this.settings.ownChangeMs) break
      this.changedAt.delete(each)
    }
  }

  /** Of a hundred machines each is due once in 50 s; the first time is random. */
  isSecretDue(id: string): boolean {
    const everyMs = (this.informers.get('ConfigMap')?.objects.size ?? 0) * SECRET_MS
    const verifiedAt = this.secretsVerifiedAt.get(id) ?? performance.now() - Math.random() * everyMs
    this.secretsVerifiedAt.set(id, verifiedAt)
    return performance.now() - verifiedAt >= everyMs
  }

  /** The Secret is as desired. */
  secretVerified(id: string): void {
    this.secretsVerifiedAt.set(id, performance.now())
  }

  forget(id: string): void {
    this.secretsVerifiedAt.delete(id)
  }

  private hasJustChanged(id: string): boolean {
    return performance.now() - (this.changedAt.get(id) ?? Number.NEGATIVE_INFINITY) < this.settings.ownChangeMs
  }
}

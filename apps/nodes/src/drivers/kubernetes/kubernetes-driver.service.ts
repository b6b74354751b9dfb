import type { OnApplicationShutdown } from '@nestjs/common'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { isOwnChain } from '../../software/place.js'
import { type DriverName, DriverUnavailable, type DriverVendor, NodeDriver, type ObservedMachine, type WantedMachine } from '../driver.js'
import { Changes } from './changes.client.js'
import { covers } from './covers.js'
import { type Conflict, type KubernetesClient, KubernetesFault } from './kubernetes.client.js'
import { INSTALLATION, MACHINE } from './labels.js'
import { manifestsOf, ownedBy, podName, referencesOf, type Surroundings } from './manifests.js'
import type { Kind, KubernetesObject } from './objects.js'
import { containerMissing, NODE } from './pod.js'
import { claimToApply, type Found, find, isOutdated, sightOf } from './sight.js'

// Whatever is left of a machine has one of these.
const TELLING: readonly Kind[] = ['ConfigMap', 'StatefulSet', 'PersistentVolumeClaim']
const CONFLICT = 409
const ATTEMPTS = 3

/** A machine is a StatefulSet of one pod, with a volume, and all that keeps others away from it. */
export class KubernetesDriver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'kubernetes'
  readonly vendor: DriverVendor
  readonly givesPorts = false
  private readonly labelSelector: string
  private readonly changes: Changes[] = []

  constructor(
    private readonly surroundings: Surroundings,
    private readonly client: KubernetesClient,
  ) {
    super()
    this.vendor = { name: 'kubernetes', region: client.namespace, subnet: '', securityGroups: [] }
    this.labelSelector = `${INSTALLATION}=${surroundings.installation}`
  }

  async missing(blueprint: Blueprint): Promise<string | undefined> {
    return containerMissing(blueprint)
  }

  canCluster(blueprint: Blueprint): boolean {
    return !isOwnChain(blueprint)
  }

  async observe(machine: WantedMachine): Promise<ObservedMachine | undefined> {
    const found = await this.look(machine.id)
    return found.length > 0 ? sightOf(found, machine, manifestsOf(machine, this.surroundings)) : undefined
  }

  async apply(machine: WantedMachine): Promise<void> {
    const missing = containerMissing(machine.blueprint)
    if (missing) throw new DriverUnavailable(missing)
    const found = await this.look(machine.id)
    const { root, claim, others } = manifestsOf(machine, this.surroundings)
    const there = find(found, root)
    // What is on its way out is waited for: what is put beside it goes with it.
    if (there?.metadata.deletionTimestamp) return
    const owner = there && covers(there, root) ? there : await this.applyOurs(root)
    for (const object of [...others.map((other) => ownedBy(owner, other)), claimToApply(found, claim)])
      if (!covers(find(found, object), object)) await this.applyOurs(object)
    if (isOutdated(found)) await this.client.remove({ kind: 'Pod', name: podName(machine.id) })
  }

  /** The data last: until nothing can write it any more. */
  async remove(id: string): Promise<void> {
    const found = await this.look(id)
    const [claims, others] = [found.filter(isClaim), found.filter((object) => !isClaim(object))]
    const going = others.length > 0 ? others.filter(({ kind }) => kind !== 'Pod') : claims
    for (const { kind, metadata } of going) if (!metadata.deletionTimestamp) await this.client.remove({ kind, name: metadata.name })
  }

  async *owned(): AsyncIterable<string> {
    const ids = new Set<string>()
    for (const kind of TELLING)
      for (const { metadata } of (await this.client.list(kind, this.labelSelector)).objects)
        ids.add(metadata.labels?.[MACHINE] ?? metadata.name)
    yield* ids
  }

  async logs(id: string, lines: number): Promise<string[]> {
    const text = lines > 0 ? await this.client.log(podName(id), NODE, lines) : ''
    return text.split('\n').filter((line) => line !== '')
  }

  onChange(listener: (id: string) => void): void {
    const changes = new Changes(this.client, this.labelSelector, listener)
    this.changes.push(changes)
    changes.start()
  }

  async onApplicationShutdown(): Promise<void> {
    for (const changes of this.changes) changes.stop()
    await this.client.close()
  }

  /** Everything of a machine; rejects where another installation has something of its name. */
  private async look(id: string): Promise<Found> {
    const objects = await Promise.all(referencesOf(id).map((reference) => this.client.get(reference)))
    const found = objects.filter((object) => object !== undefined)
    const foreign = found.find(({ metadata }) => metadata.labels?.[INSTALLATION] !== this.surroundings.installation)
    if (foreign) throw new DriverUnavailable(`The ${foreign.kind} ${foreign.metadata.name} in the cluster is not of this installation.`)
    return found
  }

  /** What a hand has changed once is put right; with a manager that declares the same fields there would be no end. */
  private async applyOurs(object: KubernetesObject, attempt = 1): Promise<KubernetesObject> {
    try {
      return await this.client.apply(object, { force: false })
    } catch (error) {
      if (!(error instanceof KubernetesFault) || error.status !== CONFLICT) throw error
      // Somebody was there at the same moment.
      if (error.conflicts.length === 0 && attempt < ATTEMPTS) return this.applyOurs(object, attempt + 1)
      const declared = error.conflicts.filter(({ message }) => !isByHand(message))
      if (declared.length > 0 || error.conflicts.length === 0) throw conflictOf(object, declared, error)
      return this.client.apply(object, { force: true })
    }
  }
}

function conflictOf({ kind, metadata }: KubernetesObject, conflicts: readonly Conflict[], error: KubernetesFault): Error {
  const told = conflicts.map(({ field, message }) => `${message} (${field})`).join(', ')
  return told ? new DriverUnavailable(`Others have set fields of the ${kind} ${metadata.name}: ${told}.`) : error
}

/** The API server names the version, and when, of what was no server-side apply: `conflict with "kubectl" using apps/v1 at ...`. */
function isByHand(message: string): boolean {
  return / using \S+/.test(message)
}

function isClaim({ kind }: KubernetesObject): boolean {
  return kind === 'PersistentVolumeClaim'
}

import type { OnApplicationShutdown } from '@nestjs/common'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { isOwnChain } from '../../software/place.js'
import { type DesiredMachine, type DriverName, DriverUnavailable, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { covers } from './covers.js'
import { type Conflict, type KubernetesClient, KubernetesFault } from './kubernetes.client.js'
import { INSTALLATION, MACHINE } from './labels.js'
import { type Manifests, manifestsOf, ownedBy, podName, referencesOf, type Surroundings } from './manifests.js'
import { Mirror } from './mirror.client.js'
import type { Kind, KubernetesObject } from './objects.js'
import { containerMissing, NODE } from './pod.js'
import { claimToApply, type Found, find, isOutdated, sightOf } from './sight.js'

// Whatever is left of a machine has one of these.
const TELLING: readonly Kind[] = ['ConfigMap', 'StatefulSet', 'PersistentVolumeClaim']
/** For so long after a change of ours the API server is asked: it tells of it a moment later. */
const OWN_CHANGE_MS = 5_000
const CONFLICT = 409
const ATTEMPTS = 3

/** A machine is a StatefulSet of one pod, with a volume, and all that keeps others away from it. */
export class KubernetesDriver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'kubernetes'
  readonly vendor: DriverVendor
  readonly givesPorts = false
  private readonly labelSelector: string
  private readonly listeners = new Set<(id: string) => void>()
  /** From when on somebody wants to hear of changes. */
  private mirror?: Mirror

  constructor(
    private readonly surroundings: Surroundings,
    private readonly client: KubernetesClient,
    private readonly ownChangeMs = OWN_CHANGE_MS,
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

  async observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    const wanted = manifestsOf(machine, this.surroundings)
    const found = await this.see(machine.id, wanted)
    return found.length > 0 ? sightOf(found, machine, wanted) : undefined
  }

  async apply(machine: DesiredMachine): Promise<void> {
    const missing = containerMissing(machine.blueprint)
    if (missing) throw new DriverUnavailable(missing)
    await this.changing(machine.id, () => this.step(machine))
  }

  /** The data last: until nothing can write it any more. */
  async remove(id: string): Promise<void> {
    this.mirror?.forget(id)
    await this.changing(id, async () => {
      const found = await this.look(id)
      const [claims, others] = [found.filter(isClaim), found.filter((object) => !isClaim(object))]
      const going = others.length > 0 ? others.filter(({ kind }) => kind !== 'Pod') : claims
      for (const { kind, metadata } of going) if (!metadata.deletionTimestamp) await this.client.remove({ kind, name: metadata.name })
    })
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
    this.listeners.add(listener)
    const { labelSelector, ownChangeMs } = this
    this.mirror ??= new Mirror(this.client, { labelSelector, ownChangeMs }, (id) => {
      for (const each of this.listeners) each(id)
    })
  }

  async onApplicationShutdown(): Promise<void> {
    this.mirror?.stop()
    await this.client.close()
  }

  private async step(machine: DesiredMachine): Promise<void> {
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

  private async changing(id: string, change: () => Promise<void>): Promise<void> {
    this.mirror?.changing(id)
    await change().finally(() => this.mirror?.changing(id))
  }

  /** As the API server has told, where it tells. That there is nothing of a machine is believed only when it is asked. */
  private async see(id: string, { others }: Manifests): Promise<Found> {
    const found = await this.mirror?.find(id)
    if (!this.mirror || !found?.length) return this.look(id)
    const secret = others.find(({ kind }) => kind === 'Secret')
    // The StatefulSet, made after it, is of this very Secret; what others do to it is seen when it is its turn.
    if (!secret || !this.mirror.isTurnOfSecret(id)) return [...found, ...(secret ? [secret] : [])]
    const actual = await this.client.get({ kind: 'Secret', name: secret.metadata.name })
    if (covers(actual, secret)) this.mirror.secretSeen(id)
    return actual ? [...found, actual] : found
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

import type { OnApplicationShutdown } from '@nestjs/common'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { isPrivateChain } from '../../software/program-setup.js'
import { type DesiredMachine, type DriverName, DriverUnavailable, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { covers } from './covers.js'
import { type Conflict, type KubernetesClient, KubernetesRefusal } from './kubernetes.client.js'
import { INSTALLATION, MACHINE } from './labels.js'
import { type ManifestSettings, type Manifests, manifestsOf, ownedBy, podName, referencesOf } from './manifests.js'
import { ObjectCache } from './object-cache.engine.js'
import type { KubernetesObject, ObjectKind } from './objects.js'
import { claimToApply, findObject, isOutdated, type MachineObjects, observedOf } from './observed-machine.js'
import { containerMissing, NODE } from './pod.js'

// Whatever remains of a machine includes one of these.
const REMAINING_KINDS: readonly ObjectKind[] = ['ConfigMap', 'StatefulSet', 'PersistentVolumeClaim']
/** For this long after a change of ours we ask the API server, for its events come a moment later. */
const OWN_CHANGE_MS = 5_000
const CONFLICT = 409
const ATTEMPTS = 3

/** A machine is a StatefulSet of one pod with a volume, Services, a Secret and a NetworkPolicy. */
export class KubernetesDriver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'kubernetes'
  readonly vendor: DriverVendor
  private readonly labelSelector: string
  private readonly listeners = new Set<(id: string) => void>()
  /** From the first listener on. */
  private cache?: ObjectCache

  constructor(
    private readonly settings: ManifestSettings,
    private readonly client: KubernetesClient,
    private readonly ownChangeMs = OWN_CHANGE_MS,
  ) {
    super()
    this.vendor = { name: 'kubernetes', region: client.namespace, subnet: '', securityGroups: [] }
    this.labelSelector = `${INSTALLATION}=${settings.installation}`
  }

  async missing(blueprint: Blueprint): Promise<string | undefined> {
    return containerMissing(blueprint)
  }

  canCluster(blueprint: Blueprint): boolean {
    return !isPrivateChain(blueprint)
  }

  async observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    const desired = manifestsOf(machine, this.settings)
    const found = await this.readCached(machine.id, desired)
    return found.length > 0 ? observedOf(found, machine, desired) : undefined
  }

  async apply(machine: DesiredMachine): Promise<void> {
    const missing = containerMissing(machine.blueprint)
    if (missing) throw new DriverUnavailable(missing)
    await this.changing(machine.id, () => this.step(machine))
  }

  /** The volume goes last, when nothing can write to it any more. */
  async remove(id: string): Promise<void> {
    this.cache?.forget(id)
    await this.changing(id, async () => {
      const found = await this.read(id)
      const [claims, others] = [found.filter(isClaim), found.filter((object) => !isClaim(object))]
      const going = others.length > 0 ? others.filter(({ kind }) => kind !== 'Pod') : claims
      for (const { kind, metadata } of going) if (!metadata.deletionTimestamp) await this.client.remove({ kind, name: metadata.name })
    })
  }

  async *owned(): AsyncIterable<string> {
    const ids = new Set<string>()
    for (const kind of REMAINING_KINDS)
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
    this.cache ??= new ObjectCache(this.client, { labelSelector, ownChangeMs }, (id) => {
      for (const each of this.listeners) each(id)
    })
  }

  async onApplicationShutdown(): Promise<void> {
    this.cache?.stop()
    await this.client.close()
  }

  private async step(machine: DesiredMachine): Promise<void> {
    const found = await this.read(machine.id)
    const { root, claim, others } = manifestsOf(machine, this.settings)
    const present = findObject(found, root)
    // Being deleted: its dependents go with it, so nothing is added until it is gone.
    if (present?.metadata.deletionTimestamp) return
    const owner = present && covers(present, root) ? present : await this.applyOurs(root)
    for (const object of [...others.map((other) => ownedBy(owner, other)), claimToApply(found, claim)])
      if (!covers(findObject(found, object), object)) await this.applyOurs(object)
    if (isOutdated(found)) await this.client.remove({ kind: 'Pod', name: podName(machine.id) })
  }

  private async changing(id: string, change: () => Promise<void>): Promise<void> {
    this.cache?.changing(id)
    await change().finally(() => this.cache?.changing(id))
  }

  /** From the cache where there is one. Only the API server itself is believed when it says that a machine does not exist. */
  private async readCached(id: string, { others }: Manifests): Promise<MachineObjects> {
    const found = await this.cache?.find(id)
    if (!this.cache || !found?.length) return this.read(id)
    const secret = others.find(({ kind }) => kind === 'Secret')
    // The StatefulSet carries the hash of this Secret; what others change in the Secret itself is found when it is due.
    if (!secret || !this.cache.isSecretDue(id)) return [...found, ...(secret ? [secret] : [])]
    const actual = await this.client.get({ kind: 'Secret', name: secret.metadata.name })
    if (covers(actual, secret)) this.cache.secretVerified(id)
    return actual ? [...found, actual] : found
  }

  /** All objects of a machine; rejects if another installation has one of its name. */
  private async read(id: string): Promise<MachineObjects> {
    const objects = await Promise.all(referencesOf(id).map((reference) => this.client.get(reference)))
    const found = objects.filter((object) => object !== undefined)
    const foreign = found.find(({ metadata }) => metadata.labels?.[INSTALLATION] !== this.settings.installation)
    if (foreign) throw new DriverUnavailable(`The ${foreign.kind} ${foreign.metadata.name} belongs to another installation.`)
    return found
  }

  /** Overrides an edit by hand, but not another manager that applies the same fields: that would never end. */
  private async applyOurs(object: KubernetesObject, attempt = 1): Promise<KubernetesObject> {
    try {
      return await this.client.apply(object, { force: false })
    } catch (error) {
      if (!(error instanceof KubernetesRefusal) || error.status !== CONFLICT) throw error
      // Somebody else wrote at the same moment.
      if (error.conflicts.length === 0 && attempt < ATTEMPTS) return this.applyOurs(object, attempt + 1)
      const declared = error.conflicts.filter(({ message }) => !isByHand(message))
      if (declared.length > 0 || error.conflicts.length === 0) throw conflictOf(object, declared, error)
      return this.client.apply(object, { force: true })
    }
  }
}

function conflictOf({ kind, metadata }: KubernetesObject, conflicts: readonly Conflict[], error: KubernetesRefusal): Error {
  const list = conflicts.map(({ field, message }) => `${message} (${field})`).join(', ')
  return list ? new DriverUnavailable(`Fields of the ${kind} ${metadata.name} are managed by others: ${list}.`) : error
}

/** Only for writes that were no server-side apply the API server names version and time: `conflict with "kubectl" using apps/v1 at ...`. */
function isByHand(message: string): boolean {
  return / using \S+/.test(message)
}

function isClaim({ kind }: KubernetesObject): boolean {
  return kind === 'PersistentVolumeClaim'
}

import { Informer } from './informer.client.js'
import type { KubernetesClient } from './kubernetes.client.js'
import { MACHINE } from './labels.js'
import { referencesOf } from './manifests.js'
import { KINDS, type Kind, type KubernetesObject } from './objects.js'
import type { Found } from './sight.js'

export interface MirrorSettings {
  readonly labelSelector: string
  /** For so long after a change of ours nothing is believed. */
  readonly ownChangeMs: number
}

/** Of all Secrets together, one is looked at in such a while. */
const SECRET_MS = 500

/**
 * What there is of all machines, as the API server tells of it: nobody has to ask for it. The Role lets nobody list Secrets; they are looked
 * at in turn.
 */
export class Mirror {
  private readonly informers: ReadonlyMap<Kind, Informer>
  private readonly changedAt = new Map<string, number>()
  private readonly secretsLookedAt = new Map<string, number>()

  constructor(
    client: KubernetesClient,
    private readonly settings: MirrorSettings,
    listener: (machine: string) => void,
  ) {
    const tell = ({ metadata }: KubernetesObject) => {
      const machine = metadata.labels?.[MACHINE]
      if (machine) listener(machine)
    }
    const kinds = KINDS.filter((kind) => kind !== 'Secret')
    this.informers = new Map(kinds.map((kind) => [kind, new Informer(client, { kind, labelSelector: settings.labelSelector }, tell)]))
  }

  stop(): void {
    for (const informer of this.informers.values()) informer.stop()
  }

  /** All of a machine but its Secret; undefined: at this moment only the API server knows. */
  async find(id: string): Promise<Found | undefined> {
    const informers = [...this.informers.values()]
    await Promise.all(informers.map(({ tried }) => tried))
    if (this.isJustChanged(id) || informers.some(({ isCurrent }) => !isCurrent)) return undefined
    const objects = referencesOf(id).map(({ kind, name }) => this.informers.get(kind)?.objects.get(name))
    return objects.filter((object) => object !== undefined)
  }

  /** To be said before and after: whoever asks in between may be told either. */
  changing(id: string): void {
    const now = performance.now()
    this.changedAt.delete(id)
    this.changedAt.set(id, now)
    for (const [each, at] of this.changedAt) {
      if (now - at < this.settings.ownChangeMs) break
      this.changedAt.delete(each)
    }
  }

  /** Of a hundred machines each has its turn once in 50 s; which is first, is chance. */
  isTurnOfSecret(id: string): boolean {
    const everyMs = (this.informers.get('ConfigMap')?.objects.size ?? 0) * SECRET_MS
    const lookedAt = this.secretsLookedAt.get(id) ?? performance.now() - Math.random() * everyMs
    this.secretsLookedAt.set(id, lookedAt)
    return performance.now() - lookedAt >= everyMs
  }

  /** It was found as it should be. */
  secretSeen(id: string): void {
    this.secretsLookedAt.set(id, performance.now())
  }

  forget(id: string): void {
    this.secretsLookedAt.delete(id)
  }

  private isJustChanged(id: string): boolean {
    return performance.now() - (this.changedAt.get(id) ?? Number.NEGATIVE_INFINITY) < this.settings.ownChangeMs
  }
}

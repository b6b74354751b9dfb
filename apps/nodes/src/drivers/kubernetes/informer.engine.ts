import { setTimeout as delay } from 'node:timers/promises'
import { type KubernetesClient, KubernetesRefusal, type WatchEvent } from './kubernetes.client.js'
import type { KubernetesObject, ObjectKind } from './objects.js'

interface InformerScope {
  readonly kind: ObjectKind
  readonly labelSelector: string
}

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 30_000
/** All are listed again after this time, in case an event was lost. */
const RELIST_MS = 600_000
const GONE = 410

/** The objects of a kind: listed, then watched. What was missed while the API server was unavailable is found by listing them again. */
export class Informer {
  /** By name. */
  readonly objects = new Map<string, KubernetesObject>()
  /** Whether the watch is open. */
  isCurrent = false
  /** Resolves when the first list has succeeded or failed. */
  readonly tried: Promise<void>
  private resolveTried = () => {}
  private readonly end = new AbortController()
  private version = ''

  constructor(
    private readonly client: KubernetesClient,
    private readonly followed: InformerScope,
    private readonly listener: (object: KubernetesObject) => void,
  ) {
    this.tried = new Promise((resolve) => {
      this.resolveTried = resolve
    })
    void this.follow()
  }

  stop(): void {
    this.isCurrent = false
    this.end.abort()
  }

  private async follow(): Promise<void> {
    let [wait, relistAt] = [FIRST_WAIT_MS, 0]
    while (!this.end.signal.aborted) {
      try {
        if (!this.version || performance.now() > relistAt) {
          await this.list()
          relistAt = performance.now() + RELIST_MS
        }
        await this.watch()
        wait = FIRST_WAIT_MS
      } catch (error) {
        this.isCurrent = false
        this.resolveTried()
        // The server no longer has the events since our version: list again. A server that is unavailable for a moment is no reason to.
        if (error instanceof KubernetesRefusal && error.status === GONE) this.version = ''
        await delay(wait * (0.5 + Math.random()), undefined, { signal: this.end.signal }).catch(() => undefined)
        wait = Math.min(wait * 2, MAX_WAIT_MS)
      }
    }
  }

  private async list(): Promise<void> {
    const { kind, labelSelector } = this.followed
    const { version, objects } = await this.client.list(kind, labelSelector)
    const before = new Map(this.objects)
    this.objects.clear()
    for (const object of objects) this.objects.set(object.metadata.name, object)
    this.version = version
    this.isCurrent = true
    this.resolveTried()
    for (const object of objects)
      if (before.get(object.metadata.name)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.listener(object)
    for (const [name, object] of before) if (!this.objects.has(name)) this.listener(object)
  }

  private async watch(): Promise<void> {
    const { kind, labelSelector } = this.followed
    const from = { labelSelector, version: this.version, signal: this.end.signal, onOpen: () => this.opened() }
    this.version = await this.client.watch(kind, from, (event) => this.apply(event))
  }

  private opened(): void {
    this.isCurrent = !this.end.signal.aborted
  }

  private apply({ type, object }: WatchEvent): void {
    const { name, resourceVersion } = object.metadata
    if (type === 'DELETED') this.objects.delete(name)
    else this.objects.set(name, object)
    this.version = resourceVersion ?? this.version
    this.listener(object)
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { type KubernetesClient, KubernetesFault, type WatchEvent } from './kubernetes.client.js'
import type { Kind, KubernetesObject } from './objects.js'

export interface Followed {
  readonly kind: Kind
  readonly labelSelector: string
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** After so long all are listed anew, in case that an event was lost. */
const RELIST_MS = 600_000
const GONE = 410

/** All objects of a kind: listed, and then followed. What is missed while the API server is away is found by listing them again. */
export class Informer {
  /** By name. */
  readonly objects = new Map<string, KubernetesObject>()
  /** Whether the API server tells it of everything at this moment. */
  isCurrent = false
  /** When it has listed them for the first time, or could not. */
  readonly tried: Promise<void>
  private tellTried = () => {}
  private readonly end = new AbortController()
  private version = ''

  constructor(
    private readonly client: KubernetesClient,
    private readonly followed: Followed,
    private readonly listener: (object: KubernetesObject) => void,
  ) {
    this.tried = new Promise((resolve) => {
      this.tellTried = resolve
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
        this.tellTried()
        // Only the list says what has happened since; that the server is away for a moment is no reason to ask for it.
        if (error instanceof KubernetesFault && error.status === GONE) this.version = ''
        await delay(wait * (0.5 + Math.random()), undefined, { signal: this.end.signal }).catch(() => undefined)
        wait = Math.min(wait * 2, LONGEST_WAIT_MS)
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
    this.tellTried()
    for (const object of objects)
      if (before.get(object.metadata.name)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.listener(object)
    for (const [name, object] of before) if (!this.objects.has(name)) this.listener(object)
  }

  private async watch(): Promise<void> {
    const { kind, labelSelector } = this.followed
    const from = { labelSelector, version: this.version, signal: this.end.signal, onOpen: () => this.opened() }
    this.version = await this.client.watch(kind, from, (event) => this.hear(event))
  }

  private opened(): void {
    this.isCurrent = !this.end.signal.aborted
  }

  private hear({ type, object }: WatchEvent): void {
    const { name, resourceVersion } = object.metadata
    if (type === 'DELETED') this.objects.delete(name)
    else this.objects.set(name, object)
    this.version = resourceVersion ?? this.version
    this.listener(object)
  }
}

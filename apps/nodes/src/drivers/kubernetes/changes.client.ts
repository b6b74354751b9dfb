import { setTimeout as delay } from 'node:timers/promises'
import { type KubernetesClient, KubernetesFault } from './kubernetes.client.js'
import { MACHINE } from './labels.js'
import type { Kind, KubernetesObject } from './objects.js'

type Listener = (machine: string) => void

// Of the others, the reconciler's own passes tell: nothing that makes them change is waited for.
const WATCHED: readonly Kind[] = ['StatefulSet', 'Pod', 'PersistentVolumeClaim']
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
const GONE = 410

/** Tells of machines to which something has happened. What is missed while the API server is away is found by listing all. */
export class Changes {
  private readonly end = new AbortController()

  constructor(
    private readonly client: KubernetesClient,
    private readonly labelSelector: string,
    private readonly listener: Listener,
  ) {}

  start(): void {
    for (const kind of WATCHED) void this.follow(kind)
  }

  stop(): void {
    this.end.abort()
  }

  private async follow(kind: Kind): Promise<void> {
    let [version, wait] = ['', FIRST_WAIT_MS]
    while (!this.end.signal.aborted) {
      try {
        version = version ? await this.watch(kind, version) : await this.list(kind)
        wait = FIRST_WAIT_MS
      } catch (error) {
        // Only the list says what has happened since; that the server is away for a moment is no reason to ask for it.
        if (error instanceof KubernetesFault && error.status === GONE) version = ''
        await delay(wait * (0.5 + Math.random()), undefined, { signal: this.end.signal }).catch(() => undefined)
        wait = Math.min(wait * 2, LONGEST_WAIT_MS)
      }
    }
  }

  private async list(kind: Kind): Promise<string> {
    const { version, objects } = await this.client.list(kind, this.labelSelector)
    for (const object of objects) this.tell(object)
    return version
  }

  private watch(kind: Kind, version: string): Promise<string> {
    const { labelSelector, end } = this
    return this.client.watch(kind, { labelSelector, version, signal: end.signal }, ({ object }) => this.tell(object))
  }

  private tell({ metadata }: KubernetesObject): void {
    const machine = metadata.labels?.[MACHINE]
    if (machine) this.listener(machine)
  }
}

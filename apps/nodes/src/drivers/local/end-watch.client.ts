import type { Processes } from './processes.client.js'
import type { Identity } from './records.js'

const LOOK_MS = 1_000

interface Followed {
  readonly identity: Identity
  readonly folder: string
}

/** Tells of the end of machines: this service hears only of those that it has started itself. */
export class EndWatch {
  private readonly listeners = new Set<(id: string) => void>()
  private readonly followed = new Map<string, Followed>()
  private timer?: NodeJS.Timeout

  constructor(private readonly processes: Processes) {}

  listen(listener: (id: string) => void): void {
    this.listeners.add(listener)
  }

  follow(id: string, followed: Followed): void {
    if (this.processes.isChild(followed.identity)) return
    this.followed.set(id, followed)
    this.timer ??= setInterval(() => void this.look(), LOOK_MS).unref()
  }

  tell(id: string): void {
    for (const listener of this.listeners) listener(id)
  }

  stop(): void {
    clearInterval(this.timer)
    this.listeners.clear()
  }

  private async look(): Promise<void> {
    for (const [id, { identity, folder }] of this.followed) {
      if (await this.processes.isAlive(identity, folder)) continue
      this.followed.delete(id)
      this.tell(id)
    }
  }
}

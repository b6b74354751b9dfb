import type { Processes } from './processes.engine.js'
import type { ProcessIdentity } from './records.js'

const POLL_MS = 1_000

interface WatchedProcess {
  readonly identity: ProcessIdentity
  readonly folder: string
}

/** Reports that processes have exited: Node reports only those that this service started itself, the others are polled. */
export class ExitWatcher {
  private readonly listeners = new Set<(id: string) => void>()
  private readonly watched = new Map<string, WatchedProcess>()
  private timer?: NodeJS.Timeout

  constructor(private readonly processes: Processes) {}

  listen(listener: (id: string) => void): void {
    this.listeners.add(listener)
  }

  watch(id: string, watched: WatchedProcess): void {
    if (this.processes.isChild(watched.identity)) return
    this.watched.set(id, watched)
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref()
  }

  notify(id: string): void {
    for (const listener of this.listeners) listener(id)
  }

  stop(): void {
    clearInterval(this.timer)
    this.listeners.clear()
  }

  private async poll(): Promise<void> {
    for (const [id, { identity, folder }] of this.watched) {
      if (await this.processes.isAlive(identity, folder)) continue
      this.watched.delete(id)
      this.notify(id)
    }
  }
}

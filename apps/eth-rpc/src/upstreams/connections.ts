import { Connection, type ConnectionKeeper } from './connection.js'
import type { Exchange } from './exchange.js'

const MOST = 128
// A burst of calls waits for few that are warm rather than for many that are opened at once.
const MOST_OPENING = 8
// Who lets in nobody but those who are there already is not asked all the time.
const PAUSE_MS = 100

/** The connections to one upstream, and the requests that wait for one. */
export class Connections implements ConnectionKeeper {
  private readonly all = new Set<Connection>()
  /** The one used last is used next: what is idle for long is closed. */
  private readonly idle: Connection[] = []
  private waiting: Exchange[] = []
  private isClosed = false
  /** No other connection could be had just now. */
  private pause?: NodeJS.Timeout

  constructor(
    private readonly url: URL,
    private readonly head: string,
  ) {}

  send(exchange: Exchange): void {
    const connection = this.takeIdle()
    if (connection) connection.send(exchange)
    else {
      this.waiting.push(exchange)
      this.open()
    }
  }

  close(): void {
    this.isClosed = true
    for (const connection of this.all) connection.destroy()
  }

  onFree(connection: Connection): void {
    const next = this.nextWaiting()
    if (next) connection.send(next)
    else this.idle.push(connection)
    this.open()
  }

  onClosed(connection: Connection, code: string | undefined): void {
    this.all.delete(connection)
    const at = this.idle.indexOf(connection)
    if (at !== -1) this.idle.splice(at, 1)
    const isThere = connection.isOpen || [...this.all].some(({ isOpen }) => isOpen)
    if (!isThere) this.failWaiting(code)
    else if (!connection.isOpen) this.pause ??= setTimeout(() => this.resume(), PAUSE_MS).unref()
    this.open()
  }

  private takeIdle(): Connection | undefined {
    const now = performance.now()
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (last.isUsable(now)) return last
      last.destroy()
    }
  }

  private nextWaiting(): Exchange | undefined {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) if (!next.isSettled) return next
  }

  private open(): void {
    if (this.isClosed) this.failWaiting()
    if (this.waiting.length === 0 || this.all.size === MOST || this.pause) return
    let opening = 0
    for (const { isOpen } of this.all) if (!isOpen) opening++
    for (; opening < Math.min(MOST_OPENING, this.waiting.length) && this.all.size < MOST; opening++) {
      this.all.add(new Connection(this.url, this.head, this))
    }
  }

  private resume(): void {
    this.endPause()
    this.waiting = this.waiting.filter(({ isSettled }) => !isSettled)
    this.open()
  }

  private endPause(): void {
    clearTimeout(this.pause)
    this.pause = undefined
  }

  /** Nobody is there: the next who comes finds out anew. */
  private failWaiting(code?: string): void {
    this.endPause()
    const { waiting } = this
    this.waiting = []
    for (const exchange of waiting) exchange.unreachable(code)
  }
}

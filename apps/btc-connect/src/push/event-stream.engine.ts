import { Readable } from 'node:stream'
import type { EventName } from '@trestle/contracts/btc-connect/events'
import { HEARTBEAT } from './event-text.js'

// What may wait for a client that reads slowly.
const MOST_WAITING_BYTES = 256 * 1024
const HEARTBEAT_MS = 15_000

export interface StreamOptions {
  readonly userId: string
  readonly events: ReadonlySet<EventName>
  /** The addresses it follows, by the keys of their scripts. */
  readonly followed: ReadonlyMap<string, string>
}

/** What one client is told; it is cut off rather than waited for. */
export class EventStream extends Readable {
  readonly userId: string
  readonly events: ReadonlySet<EventName>
  readonly tracked: ReadonlyMap<string, string>
  private sentAt = 0
  private isOver = false

  constructor({ userId, events, followed }: StreamOptions) {
    super()
    this.userId = userId
    this.events = events
    this.tracked = events.has('address') ? followed : new Map()
  }

  // It is told when there is something to tell, not when it is asked.
  override _read(): void {}

  send(text: string, now: number): void {
    if (this.isOver) return
    if (this.readableLength > MOST_WAITING_BYTES) this.destroy()
    else this.push(text)
    this.sentAt = now
  }

  beat(now: number): void {
    if (now - this.sentAt >= HEARTBEAT_MS) this.send(HEARTBEAT, now)
  }

  end(): void {
    if (!this.isOver) this.push(null)
    this.isOver = true
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isOver = true
    done(error)
  }
}

import { Readable } from 'node:stream'
import type { EventName } from '@trestle/contracts/btc-connect/events'
import { HEARTBEAT } from './event-text.js'

// The buffer for a client that reads slowly.
const MAX_BUFFERED_BYTES = 256 * 1024
const HEARTBEAT_MS = 15_000

interface StreamOptions {
  readonly userId: string
  readonly events: ReadonlySet<EventName>
  /** The tracked addresses by the keys of their scripts. */
  readonly tracked: ReadonlyMap<string, string>
}

/** The events for one client. A client that reads too slowly is disconnected. */
export class EventStream extends Readable {
  readonly userId: string
  readonly events: ReadonlySet<EventName>
  readonly tracked: ReadonlyMap<string, string>
  private sentAt = 0
  private isEnded = false

  constructor({ userId, events, tracked }: StreamOptions) {
    super()
    this.userId = userId
    this.events = events
    this.tracked = events.has('address') ? tracked : new Map()
  }

  // Events are pushed when they happen, not when the consumer asks for data.
  override _read(): void {}

  send(text: string, now: number): void {
    if (this.isEnded) return
    if (this.readableLength > MAX_BUFFERED_BYTES) this.destroy()
    else this.push(text)
    this.sentAt = now
  }

  beat(now: number): void {
    if (now - this.sentAt >= HEARTBEAT_MS) this.send(HEARTBEAT, now)
  }

  end(): void {
    if (!this.isEnded) this.push(null)
    this.isEnded = true
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isEnded = true
    done(error)
  }
}

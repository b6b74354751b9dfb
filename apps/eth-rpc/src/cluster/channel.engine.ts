import { type Envelope, messageIn } from './message.js'

/** One end of the channel between a worker and the primary: `process`, or a worker's. */
export interface Port {
  send?(message: object, callback?: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
}

export interface ChannelLimits {
  readonly messages: number
  readonly ms: number
}

// A channel that nobody reads fills the memory of who writes.
const LIMITS: ChannelLimits = { messages: 2_000, ms: 20_000 }

/** Sends to somebody who may have stopped to read. */
export class Channel<Out, In> {
  /** When what was sent last and is not taken yet was sent, oldest first. */
  private readonly waiting: number[] = []
  private isFull = false

  constructor(
    private readonly port: Port,
    /** It does not read any more; told once. */
    private readonly onFull: () => void = () => {},
    private readonly limits = LIMITS,
  ) {}

  onMessage(listener: (message: In) => void): void {
    this.port.on('message', (message) => {
      const ours = messageIn<In>(message)
      if (ours) listener(ours)
    })
  }

  send(message: Out): void {
    if (this.isFull) return
    const [oldest = Number.POSITIVE_INFINITY] = this.waiting
    if (this.waiting.length >= this.limits.messages || performance.now() - oldest > this.limits.ms) {
      this.isFull = true
      this.onFull()
      return
    }
    this.waiting.push(performance.now())
    // Whoever has gone is told of by their end.
    this.port.send?.({ trestle: message } satisfies Envelope<Out>, () => void this.waiting.shift())
  }
}

import { type Envelope, messageIn } from './message.js'

/** One end of the channel between a worker and the primary: `process`, or a worker's. */
export interface Port {
  send?(message: object, callback?: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
}

interface ChannelLimits {
  readonly messages: number
  readonly ms: number
}

// A channel that is not read fills the memory of the writer.
const LIMITS: ChannelLimits = { messages: 2_000, ms: 20_000 }

/** Sends to a process that may have stopped reading. */
export class Channel<Out, In> {
  /** When each message that is still in the channel was sent, oldest first. */
  private readonly waiting: number[] = []
  private isFull = false

  constructor(
    private readonly port: Port,
    /** The other end does not read any more; called once. */
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
    // The exit of the other process is noticed elsewhere.
    this.port.send?.({ trestle: message } satisfies Envelope<Out>, () => void this.waiting.shift())
  }
}

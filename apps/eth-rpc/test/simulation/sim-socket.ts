import { EventEmitter } from 'node:events'

/** The gateway's side of a WebSocket whose other side is a function. */
export class SimSocket extends EventEmitter {
  readonly bufferedAmount = 0
  readonly isPaused = false
  isOpen = true

  constructor(private readonly onMessage: (text: string) => void) {
    super()
  }

  send(data: Buffer): void {
    if (this.isOpen) this.onMessage(data.toString())
  }

  /** Either side may. */
  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.emit('close')
  }

  terminate(): void {
    this.close()
  }

  pause(): void {}

  resume(): void {}
}

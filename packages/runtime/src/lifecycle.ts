import { Injectable } from '@nestjs/common'
import { Logger } from './logger.js'
import { withTimeout } from './with-timeout.js'

export type StopStep = () => Promise<void> | void
export type StopPhase = 'drain' | 'flush' | 'close'

const PHASE_LIMIT_MS = 3000

/** What has to happen, and in which order, when the service stops; it begins once the last request was answered. */
@Injectable()
export class Lifecycle {
  private readonly steps: Record<StopPhase, StopStep[]> = { drain: [], flush: [], close: [] }

  constructor(private readonly logger: Logger) {}

  /** First: take in no more work, and finish what was taken (subscriptions, consumers, jobs). */
  onDrain(step: StopStep): void {
    this.steps.drain.push(step)
  }

  /** Then: hand over what is still held in memory (outbox, activity records). */
  onFlush(step: StopStep): void {
    this.steps.flush.push(step)
  }

  /** Last: close connections. */
  onClose(step: StopStep): void {
    this.steps.close.push(step)
  }

  /** Runs the steps of a phase side by side; one that fails or hangs is logged and does not keep the stop from ending. */
  async run(phase: StopPhase): Promise<void> {
    await Promise.all(
      this.steps[phase].map(async (step) => {
        try {
          await withTimeout(PHASE_LIMIT_MS, step)
        } catch (error) {
          this.logger.error({ err: error, phase }, 'a step of the stop failed')
        }
      }),
    )
  }
}

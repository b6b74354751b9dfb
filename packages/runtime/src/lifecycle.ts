import { Injectable } from '@nestjs/common'
import { Logger } from './logger.js'
import { withTimeout } from './with-timeout.js'

type StopStep = () => Promise<void> | void
type StopPhase = 'drain' | 'flush' | 'close'

const PHASE_LIMIT_MS = 3000

/** The steps of stopping a service, by phase. They begin after the last response. */
@Injectable()
export class Lifecycle {
  private readonly steps: Record<StopPhase, StopStep[]> = { drain: [], flush: [], close: [] }

  constructor(private readonly logger: Logger) {}

  /** First: accept no more work, and finish what was begun (subscriptions, consumers, jobs). */
  onDrain(step: StopStep): void {
    this.steps.drain.push(step)
  }

  /** Then: write out what is in memory (outbox, activity records). */
  onFlush(step: StopStep): void {
    this.steps.flush.push(step)
  }

  /** Last: close connections. */
  onClose(step: StopStep): void {
    this.steps.close.push(step)
  }

  /** Runs the steps of a phase in parallel; one that fails or hangs is logged and does not block the stop. */
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

import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import { DeadLetters, type FailedMessage } from './dead-letters.js'

/** Turns the errors of message handlers into Problems and dead letters. */
@Injectable()
export class HandlerErrors {
  private readonly deadLetters: Counter<'consumer'>

  constructor(
    private readonly translators: ErrorTranslators,
    private readonly letters: DeadLetters,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.deadLetters = new Counter({
      name: 'dead_letters_total',
      help: 'Domain events that a consumer gave up.',
      labelNames: ['consumer'],
      registers: [metrics.registry],
    })
  }

  /** The Problem to reply with; one that is our fault is logged, and reveals no internals. */
  problemOf(error: unknown, subject: string): Problem {
    const problem = error instanceof Problem ? error : (this.translators.translate(error) ?? internalProblem(error))
    if (problem.status >= 500) this.logger.error({ err: error, subject }, 'a message handler failed')
    return problem
  }

  /** Resolves to whether the dead letter is stored; if not, the event has to be delivered again. */
  async giveUp(letter: FailedMessage, problem: Problem): Promise<boolean> {
    const { consumer, messageId } = letter
    try {
      await this.letters.keep(letter, problem)
    } catch (error) {
      this.logger.warn({ err: error, consumer, messageId }, 'a dead letter could not be stored; the event will be delivered again')
      return false
    }
    this.deadLetters.inc({ consumer })
    this.logger.error({ err: problem, consumer, messageId }, 'a domain event was given up and is now a dead letter')
    return true
  }
}

function internalProblem(cause: unknown): Problem {
  return new Problem('internal', 'InternalError', 'Something went wrong on our side.', { cause })
}

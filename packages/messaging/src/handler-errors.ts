import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import { DeadLetters, type FailedMessage } from './dead-letters.js'

/** What an error in a handler means. */
@Injectable()
export class HandlerErrors {
  private readonly givenUp: Counter<'consumer'>

  constructor(
    private readonly translators: ErrorTranslators,
    private readonly letters: DeadLetters,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.givenUp = new Counter({
      name: 'facts_given_up_total',
      help: 'Facts a consumer could not take into effect.',
      labelNames: ['consumer'],
      registers: [metrics.registry],
    })
  }

  /** The Problem to answer with; one that is our own fault is logged, and tells nothing about our insides. */
  problemOf(error: unknown, subject: string): Problem {
    const problem = error instanceof Problem ? error : (this.translators.translate(error) ?? internalProblem(error))
    if (problem.status >= 500) this.logger.error({ err: error, subject }, 'a message handler failed')
    return problem
  }

  /** Answers whether the fact is among the dead letters now; one that is not has to come again. */
  async giveUp(letter: FailedMessage, problem: Problem): Promise<boolean> {
    const { consumer, messageId } = letter
    try {
      await this.letters.keep(letter, problem)
    } catch (error) {
      this.logger.warn({ err: error, consumer, messageId }, 'a fact could not be put among the dead letters; it comes again')
      return false
    }
    this.givenUp.inc({ consumer })
    this.logger.error({ err: problem, consumer, messageId }, 'a fact is given up; administrators find it among the dead letters')
    return true
  }
}

function internalProblem(cause: unknown): Problem {
  return new Problem('internal', 'InternalError', 'Something went wrong on our side.', { cause })
}

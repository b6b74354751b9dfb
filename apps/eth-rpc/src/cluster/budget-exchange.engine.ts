import type { BudgetBook } from '../upstreams/budgets/budget-book.js'
import type { Channel } from './channel.engine.js'
import type { ToPrimary, ToWorker } from './message.js'

const REPORT_MS = 1_000

/** The primary process asks upstreams for their heads and has no database: it has a worker write what that spends, and learns what all others do. */
export class BudgetExchange {
  private readonly timer: NodeJS.Timeout

  constructor(book: BudgetBook, channel: Channel<ToWorker, ToPrimary>) {
    channel.onMessage((message) => message.type === 'budgets' && book.learnOthers(message.used))
    this.timer = setInterval(() => {
      if (book.all.length > 0) channel.send({ type: 'spent', process: book.process, spent: book.spentBy(book.process) })
    }, REPORT_MS).unref()
  }

  /** The worker has ended. */
  end(): void {
    clearInterval(this.timer)
  }
}

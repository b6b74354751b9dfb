import { Injectable } from '@nestjs/common'
import { NodeClient } from '../node/node.client.js'
import { sendRawTransaction } from '../node/node-calls.js'
import { NodeEvents } from '../node/node-events.engine.js'
import { refusalProblem } from '../node/node-problem.js'
import { rawTransactionIn } from './raw-transaction.js'

/** Longer than other calls: the node validates one transaction after another. */
const TIMEOUT_MS = 20_000

@Injectable()
export class SendingService {
  constructor(
    private readonly node: NodeClient,
    private readonly events: NodeEvents,
  ) {}

  async send(text: string): Promise<{ txid: string }> {
    const hex = rawTransactionIn(text)
    try {
      const txid = await this.node.call(sendRawTransaction(hex), { timeoutMs: TIMEOUT_MS })
      this.events.emit('transaction')
      return { txid }
    } catch (error) {
      throw refusalProblem(error, 'TransactionRefused')
    }
  }
}

import { Inject, Injectable } from '@nestjs/common'
import { parseBlock } from '@trestle/bitcoin/block'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'
import { batchLookups } from '@trestle/database/batching'
import { LRUCache } from 'lru-cache'
import { NodeClient } from '../node/node.client.js'
import { rawBlock, rawTransaction } from '../node/node-calls.js'
import { NodeRefusal, NodeUnreachable } from '../node/node-errors.js'
import { RULES } from '../settings.module.js'
import type { MissingTransaction } from './raw-missing.js'

const CACHE_BYTES = 32 * 1024 * 1024
// Several transactions of the maximum size, in hex.
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 * 1024 }

/** The bytes of confirmed transactions that are not stored here. Simultaneous requests for the same one cause one call. */
@Injectable()
export class NodeTransactionsClient {
  private readonly cache = new LRUCache<string, Buffer, MissingTransaction>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (raw) => raw.length + 200,
    fetchMethod: (_key, _stale, { context }) => this.ask(context),
  })
  private readonly ask = batchLookups((wanted: MissingTransaction[]) => this.askAll(wanted), 50)

  constructor(
    private readonly node: NodeClient,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  /** By txid in hex. */
  async find(wanted: readonly MissingTransaction[]): Promise<Map<string, Buffer>> {
    const found = await Promise.all(
      wanted.map(async (each) => [keyOf(each), await this.cache.forceFetch(keyOf(each), { context: each })] as const),
    )
    return new Map(found)
  }

  private async askAll(wanted: MissingTransaction[]): Promise<Map<MissingTransaction, Buffer>> {
    const answers = await this.node.callAll(wanted.map(question), LIMITS)
    return new Map(wanted.map((each, index) => [each, this.checked(each, answers[index])]))
  }

  private checked(wanted: MissingTransaction, answer: Buffer | NodeRefusal | undefined): Buffer {
    const hex = keyOf(wanted)
    if (answer instanceof NodeRefusal) throw new NodeUnreachable(`The node has no transaction ${hex}: ${answer.message}`)
    const transaction = answer && this.read(wanted, answer)
    if (!transaction?.txid.equals(wanted.txid)) throw new NodeUnreachable(`The node sent other data for transaction ${hex}.`)
    // A copy, or the cache would retain the whole block.
    return Buffer.from(transaction.raw)
  }

  private read(wanted: MissingTransaction, answer: Buffer): Transaction | undefined {
    try {
      return isGenesis(wanted) ? parseBlock(answer, this.rules.coin).transactions[0] : parseTransaction(answer, this.rules.coin)
    } catch {
      return undefined
    }
  }
}

// Nodes do not return the coinbase of the first block as a transaction.
function question(wanted: MissingTransaction) {
  return isGenesis(wanted) ? rawBlock(wanted.blockHash) : rawTransaction(wanted.txid, wanted.blockHash)
}

function isGenesis({ height }: MissingTransaction): boolean {
  return height === 0
}

function keyOf({ txid }: MissingTransaction): string {
  return txid.toString('hex')
}

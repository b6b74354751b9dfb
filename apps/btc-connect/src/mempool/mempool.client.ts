import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { MalformedData } from '@trestle/bitcoin/malformed'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'
import { NodeClient } from '../node/node.client.js'
import { bestBlockHash, mempoolIds, mempoolInfo, rawTransaction } from '../node/node-calls.js'
import { NodeRefusal } from '../node/node-errors.js'
import { RULES } from '../settings.module.js'

interface NodeMempool {
  readonly txids: readonly string[]
  /** The tip that the list belongs to; undefined if a block came in between, or while the node reloads its mempool after a restart. */
  readonly tip: Buffer | undefined
}

interface FetchedTransactions {
  readonly transactions: readonly Transaction[]
  /** The ids of mempool transactions that we cannot parse. */
  readonly unparseable: readonly string[]
}

const LIST_BYTES = 64 * 1024 * 1024
const TRANSACTIONS_BYTES = 128 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** The node's mempool. */
@Injectable()
export class MempoolClient {
  constructor(
    private readonly node: NodeClient,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  async list(signal: AbortSignal): Promise<NodeMempool> {
    const questions = [mempoolInfo, bestBlockHash, mempoolIds, bestBlockHash] as const
    const answers = await this.node.callAll(questions, { signal, timeoutMs: TIMEOUT_MS, maxBytes: LIST_BYTES })
    const [info, before, txids, after] = answers
    if (info instanceof NodeRefusal) throw info
    if (before instanceof NodeRefusal) throw before
    if (txids instanceof NodeRefusal) throw txids
    if (after instanceof NodeRefusal) throw after
    return { txids, tip: info.loaded && before.equals(after) ? before : undefined }
  }

  /** Omits transactions that have left the mempool since they were listed. */
  async fetch(txids: readonly string[], signal: AbortSignal): Promise<FetchedTransactions> {
    const questions = txids.map((txid) => rawTransaction(txid))
    const answers = await this.node.callAll(questions, { signal, timeoutMs: TIMEOUT_MS, maxBytes: TRANSACTIONS_BYTES })
    const present = txids.flatMap((txid, i) => {
      const raw = answers[i]
      return Buffer.isBuffer(raw) ? { txid, transaction: this.parse(raw, txid) } : []
    })
    return {
      transactions: present.flatMap(({ transaction }) => transaction ?? []),
      unparseable: present.filter(({ transaction }) => !transaction).map(({ txid }) => txid),
    }
  }

  // A transaction within Litecoin's extension blocks (MWEB) has no visible inputs and outputs.
  private parse(raw: Buffer, txid: string): Transaction | undefined {
    try {
      const transaction = parseTransaction(raw, this.rules.coin)
      return transaction.txid.toString('hex') === txid ? transaction : undefined
    } catch (error) {
      if (error instanceof MalformedData) return undefined
      throw error
    }
  }
}

import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'
import type { PoolClient } from 'pg'
import type { HistoryEntry } from '../history/history.js'
import { RULES } from '../settings.module.js'
import { type Outpoint, outpointKey } from './outpoint.js'
import { RawTransactionsMissing } from './raw-missing.js'
import type { KnownTransaction, Prevout, Spend, TransactionLocation } from './transaction.js'
import { TransactionsRepository } from './transactions.repository.js'

interface LoadOptions {
  /** If false, `spends` stay empty. */
  readonly spends: boolean
  /** The bytes that were read from the node, by txid in hex. */
  readonly given: ReadonlyMap<string, Buffer>
}

interface Located {
  readonly entry: HistoryEntry
  readonly parsed: Transaction
  readonly place: TransactionLocation
}

const NO_SPENDS: ReadonlyMap<number, Spend> = new Map()

/** Loads transactions with their inputs and spends, all from one snapshot. */
@Injectable()
export class TransactionLoaderService {
  constructor(
    private readonly transactions: TransactionsRepository,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  /** In the order of the entries. Throws RawTransactionsMissing if bytes have to be read from the node first. */
  async load(client: PoolClient, entries: readonly HistoryEntry[], { spends, given }: LoadOptions): Promise<KnownTransaction[]> {
    if (entries.length === 0) return []
    const located = await this.locate(client, entries, given)
    const spending = located.filter(({ parsed }) => !parsed.isCoinbase)
    const prevouts = await this.prevouts(
      client,
      spending.flatMap(({ parsed }) => parsed.inputs),
    )
    const spendsOf = spends ? await this.transactions.listSpends(client, entries) : undefined
    return located.map(({ entry, parsed, place }) => ({
      parsed,
      place,
      prevouts: parsed.isCoinbase ? [] : parsed.inputs.map((input) => prevouts.get(outpointKey(input))),
      spends: spendsOf?.get(entry.txid.toString('hex')) ?? NO_SPENDS,
    }))
  }

  private async locate(client: PoolClient, entries: readonly HistoryEntry[], given: LoadOptions['given']): Promise<Located[]> {
    const ids = entries.flatMap(({ txId }) => (txId === undefined ? [] : [txId]))
    const confirmed = ids.length > 0 ? await this.transactions.listConfirmed(client, ids) : undefined
    const others = entries.flatMap(({ txid, txId }) => (txId === undefined ? [txid] : []))
    const unconfirmed = others.length > 0 ? await this.transactions.listUnconfirmed(client, others) : undefined
    const missing: RawTransactionsMissing['wanted'][number][] = []
    const located = entries.flatMap((entry): Located[] => {
      const hex = entry.txid.toString('hex')
      const found = entry.txId === undefined ? unconfirmed?.get(hex) : confirmed?.get(entry.txId)
      if (!found) throw new Error(`The index has a history with ${hex}, but not the transaction.`)
      const raw = found.raw ?? given.get(hex)
      if (raw) return [{ entry, parsed: parseTransaction(raw, this.rules.coin), place: found }]
      if ('blockHash' in found) missing.push({ txid: entry.txid, blockHash: found.blockHash, height: found.height })
      return []
    })
    if (missing.length > 0) throw new RawTransactionsMissing(missing)
    return located
  }

  private async prevouts(client: PoolClient, outpoints: readonly Outpoint[]): Promise<Map<string, Prevout>> {
    if (outpoints.length === 0) return new Map()
    const prevouts = await this.transactions.listPrevouts(client, outpoints)
    const unknown = outpoints.filter((outpoint) => !prevouts.has(outpointKey(outpoint)))
    return unknown.length === 0 ? prevouts : new Map([...prevouts, ...(await this.unconfirmedPrevouts(client, unknown))])
  }

  private async unconfirmedPrevouts(client: PoolClient, outpoints: readonly Outpoint[]): Promise<[string, Prevout][]> {
    const parents = new Map(outpoints.map(({ txid }) => [txid.toString('hex'), txid]))
    const found = await this.transactions.listUnconfirmed(client, [...parents.values()])
    const parsed = new Map([...found].map(([txid, { raw }]) => [txid, parseTransaction(raw, this.rules.coin)]))
    return outpoints.flatMap((outpoint): [string, Prevout][] => {
      const output = parsed.get(outpoint.txid.toString('hex'))?.outputs[outpoint.vout]
      return output ? [[outpointKey(outpoint), output]] : []
    })
  }
}

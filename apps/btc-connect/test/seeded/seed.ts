import { createHash } from 'node:crypto'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { transaction } from '@trestle/database/transaction'
import type { Pool, PoolClient } from 'pg'
import type { SeededBlock, SeededChain, Unconfirmed } from './seeded-chain.js'

const TABLES = [
  'index_state',
  'load_range',
  'block',
  'stale_block',
  'tx',
  'tx_raw',
  'txo',
  'own_script',
  'script',
  'script_tx',
  'block_undo',
  'mempool_tx',
]

export interface SeedOptions {
  readonly phase?: 'load' | 'merge' | 'tip'
  /** Whether raw transactions are kept. */
  readonly storeRaw?: boolean
}

/** Fills the tables with a chain in one transaction, as the writer would; what was in them before is gone. */
export function seedIndex(pool: Pool, chain: SeededChain, { phase = 'tip', storeRaw = true }: SeedOptions = {}): Promise<void> {
  const rows = new Rows(chain, storeRaw)
  return transaction(pool, async (client) => {
    // Other than TRUNCATE, it leaves to whoever reads what he has begun to read.
    for (const table of TABLES) await client.query(`DELETE FROM ${table}`)
    await client.query(
      `INSERT INTO index_state (genesis_hash, secret, phase, condition, node_height, updated_at) VALUES ($1, $2, $3, 'finished', $4, now())`,
      [chain.blocks[0]?.hash ?? Buffer.alloc(32), chain.secret, phase, Math.max(0, chain.blocks.length - 1)],
    )
    for (const [table, columns, values] of rows.tables()) await insert(client, `${table} (${columns})`, values)
    await client.query(`SELECT pg_notify('tip', ''), pg_notify('mempool', '')`)
  })
}

type Table = readonly [name: string, columns: string, rows: unknown[][]]

interface Script {
  readonly script: Buffer
  received: bigint
  sent: bigint
  utxos: number
  readonly txIds: number[]
}

interface Placed {
  readonly txId: number
  readonly vout: number
  readonly value: bigint
  readonly key: string
  spent?: readonly [txId: number, vin: number]
}

class Rows {
  private readonly scripts = new Map<string, Script>()
  private readonly outputs = new Map<string, Placed>()
  private readonly simple: Record<
    'block' | 'stale' | 'tx' | 'raw' | 'own' | 'undo' | 'mempool' | 'mempoolOutput' | 'mempoolSpend',
    unknown[][]
  > = {
    block: [],
    stale: [],
    tx: [],
    raw: [],
    own: [],
    undo: [],
    mempool: [],
    mempoolOutput: [],
    mempoolSpend: [],
  }
  private next = 0

  constructor(
    private readonly chain: SeededChain,
    private readonly storeRaw: boolean,
  ) {
    for (const block of chain.blocks) this.addBlock(block)
    for (const block of chain.stale) {
      const { hash, height, header, transactions } = block
      this.simple.stale.push([
        hash,
        height,
        header,
        sizeOf(block),
        transactions.map(({ txid }) => txid),
        work(height),
        ...minerOf(block),
        new Date(),
      ])
    }
    for (const unconfirmed of chain.mempool) this.addUnconfirmed(unconfirmed)
  }

  tables(): Table[] {
    const { block, stale, tx, raw, own, undo, mempool, mempoolOutput, mempoolSpend } = this.simple
    const txo = [...this.outputs.values()].map(({ txId, vout, value, key, spent }) => [txId, vout, value, key, spent?.[0], spent?.[1]])
    const script = [...this.scripts].map(([key, each]) => [key, each.script, each.received, each.sent, each.txIds.length, each.utxos])
    const scriptTx = [...this.scripts].flatMap(([key, { txIds }]) => txIds.map((txId, pos) => [key, pos, txId]))
    return [
      ['block', 'height, hash, header, time, size, tx_count, first_tx_id, chainwork, coinbase, payout_script', block],
      ['stale_block', 'hash, height, header, size, txids, chainwork, coinbase, payout_script, staled_at', stale],
      ['tx', 'tx_id, txid, height', tx],
      ['tx_raw', 'tx_id, raw', raw],
      ['txo', 'tx_id, vout, value, script_key, spent_tx_id, spent_vin', txo],
      ['own_script', 'tx_id, vout, script', own],
      ['script', 'script_key, script, received, sent, tx_count, utxo_count', script],
      ['script_tx', 'script_key, pos, tx_id', scriptTx],
      ['block_undo', 'height, spent_tx_ids, spent_vouts', undo],
      ['mempool_tx', 'txid, raw, first_seen, seq', mempool],
      ['mempool_output', 'txid, vout, value, script_key', mempoolOutput],
      ['mempool_spend', 'prev_txid, prev_vout, txid, vin, value, script_key', mempoolSpend],
    ]
  }

  private addBlock(block: SeededBlock): void {
    const { hash, header, height, time, transactions } = block
    this.simple.block.push([height, hash, header, time, sizeOf(block), transactions.length, this.next, work(height), ...minerOf(block)])
    const spent: Placed[] = []
    for (const transaction of transactions) this.addTransaction(transaction, height, spent)
    this.simple.undo.push([height, spent.map(({ txId }) => txId), spent.map(({ vout }) => vout)])
  }

  private addTransaction({ txid, raw, inputs, outputs, isCoinbase }: Transaction, height: number, spent: Placed[]): void {
    const txId = this.next++
    this.simple.tx.push([txId, txid, height])
    if (this.storeRaw) this.simple.raw.push([txId, raw])
    const touched = new Set<Script>()
    for (const [vin, input] of isCoinbase ? [] : inputs.entries()) {
      const output = this.outputs.get(`${input.txid.toString('hex')}:${input.vout}`)
      if (!output) continue
      output.spent = [txId, vin]
      spent.push(output)
      const script = this.scripts.get(output.key) as Script
      script.sent += output.value
      script.utxos -= 1
      touched.add(script)
    }
    for (const [vout, { value, script }] of outputs.entries()) {
      if (isUnspendable(script)) continue
      const owner = ownerScriptOf(script)
      if (owner !== script) this.simple.own.push([txId, vout, script])
      const key = this.keyOf(owner)
      const known = this.scripts.get(key) ?? { script: owner, received: 0n, sent: 0n, utxos: 0, txIds: [] }
      this.scripts.set(key, known)
      known.received += value
      known.utxos += 1
      touched.add(known)
      this.outputs.set(`${txid.toString('hex')}:${vout}`, { txId, vout, value, key })
    }
    for (const script of touched) script.txIds.push(txId)
  }

  private addUnconfirmed({ transaction: { txid, raw, inputs, outputs }, firstSeen, seq }: Unconfirmed): void {
    this.simple.mempool.push([txid, raw, new Date(firstSeen * 1000 + 700), seq])
    for (const [vout, { value, script }] of outputs.entries()) {
      if (!isUnspendable(script)) this.simple.mempoolOutput.push([txid, vout, value, this.keyOf(ownerScriptOf(script))])
    }
    for (const [vin, input] of inputs.entries()) {
      const spent = this.spentOf(input)
      this.simple.mempoolSpend.push([input.txid, input.vout, txid, vin, spent?.value, spent?.key])
    }
  }

  private spentOf({ txid, vout }: { txid: Buffer; vout: number }): { value: bigint; key: string } | undefined {
    const confirmed = this.outputs.get(`${txid.toString('hex')}:${vout}`)
    if (confirmed) return confirmed
    const parent = this.chain.mempool.find(({ transaction }) => transaction.txid.equals(txid))?.transaction.outputs[vout]
    return parent && { value: parent.value, key: this.keyOf(ownerScriptOf(parent.script)) }
  }

  private keyOf(ownerScript: Buffer): string {
    return createHash('sha256').update(this.chain.secret).update(ownerScript).digest('hex').slice(0, 32)
  }
}

function minerOf({ transactions: [coinbase] }: SeededBlock): [Buffer, Buffer] {
  return [coinbase?.inputs[0]?.script ?? Buffer.alloc(0), coinbase?.outputs[0]?.script ?? Buffer.alloc(0)]
}

function sizeOf({ transactions }: SeededBlock): number {
  return 81 + transactions.reduce((sum, { raw }) => sum + raw.length, 0)
}

function work(height: number): Buffer {
  return Buffer.from(((height + 1) * 2).toString(16).padStart(64, '0'), 'hex')
}

const ROWS_AT_ONCE = 500

async function insert(client: PoolClient, target: string, rows: unknown[][]): Promise<void> {
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const some = rows.slice(first, first + ROWS_AT_ONCE)
    const width = some[0]?.length ?? 0
    const places = some.map((_, row) => `(${Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`)})`)
    await client.query(`INSERT INTO ${target} VALUES ${places}`, some.flat())
  }
}

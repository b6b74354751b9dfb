import { fileURLToPath } from 'node:url'
import { type Block, workOf } from '@trestle/bitcoin/block'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import { freshDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import { scriptKeys } from '../src/index/script-keys.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/btc-connect/migrations', import.meta.url))
const SECRET = Buffer.alloc(16, 7)

/** A schema of its own with the tables of an index. */
export async function indexSchema(schema = 'btc') {
  const database = await freshDatabase({ schema, migrations: MIGRATIONS })
  const pool = new Pool({ connectionString: database.url, max: 3 })
  return {
    url: database.url,
    pool,
    async drop() {
      await pool.end()
      await database.drop()
    },
  }
}

/** Writes blocks into the index row by row: what the real writer does in another way, for tests of those who read it. */
export class PlainIndex {
  private readonly keyOf = scriptKeys(SECRET)
  private nextTxId = 0
  private height = -1

  constructor(private readonly pool: Pool) {}

  async begin(genesisHash: Buffer): Promise<void> {
    await this.pool.query(
      `INSERT INTO index_state (genesis_hash, secret, phase, condition, updated_at) VALUES ($1, $2, 'tip', 'syncing', now())`,
      [genesisHash, SECRET],
    )
  }

  keyOfScript(script: Buffer): string {
    return this.keyOf(ownerScriptOf(script)).toString('hex')
  }

  async add(block: Block): Promise<void> {
    const { header, transactions, raw } = block
    const first = this.nextTxId
    this.height += 1
    const work = Buffer.from(workOf(header.bits).toString(16).padStart(64, '0'), 'hex')
    for (const transaction of transactions) await this.addTransaction(transaction)
    await this.pool.query('INSERT INTO block VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
      this.height,
      header.hash,
      header.raw,
      header.time,
      raw.length,
      transactions.length,
      first,
      work,
      transactions[0]!.inputs[0]!.script,
      transactions[0]!.outputs[0]!.script,
    ])
    await this.pool.query('UPDATE index_state SET node_height = $1', [this.height])
  }

  /** A block takes what it confirms out of the mempool. */
  async confirm({ transactions }: Block): Promise<void> {
    await this.pool.query('DELETE FROM mempool_tx WHERE txid = ANY($1::bytea[])', [transactions.map(({ txid }) => txid)])
  }

  private async addTransaction({ txid, inputs, outputs, isCoinbase }: Block['transactions'][number]): Promise<void> {
    const txId = this.nextTxId++
    await this.pool.query('INSERT INTO tx VALUES ($1, $2, $3)', [txId, txid, this.height])
    for (const [vout, { value, script }] of outputs.entries()) {
      if (isUnspendable(script) || this.height === 0) continue
      await this.pool.query('INSERT INTO txo (tx_id, vout, value, script_key) VALUES ($1, $2, $3, $4)', [
        txId,
        vout,
        value,
        this.keyOfScript(script),
      ])
    }
    if (isCoinbase) return
    for (const [vin, input] of inputs.entries()) {
      await this.pool.query(
        `UPDATE txo SET spent_tx_id = $3, spent_vin = $4 FROM tx WHERE tx.txid = $1 AND txo.tx_id = tx.tx_id AND txo.vout = $2`,
        [input.txid, input.vout, txId, vin],
      )
    }
  }
}

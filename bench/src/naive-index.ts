import { hash } from 'node:crypto'
import { type Block, parseBlock } from '@trestle/bitcoin/block'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import type { Transaction } from '@trestle/bitcoin/transaction'
import type pg from 'pg'

// The same rows as the real index, written naively: every index in place, one statement per row, one UPDATE per spend.

const TABLES = `
  CREATE SCHEMA naive;
  SET search_path TO naive;
  CREATE TABLE block (height int PRIMARY KEY, hash bytea NOT NULL UNIQUE, header bytea NOT NULL);
  CREATE TABLE tx (tx_id bigint PRIMARY KEY, txid bytea NOT NULL, height int NOT NULL, raw bytea NOT NULL);
  CREATE INDEX ON tx USING hash (txid);
  CREATE TABLE txo (tx_id bigint, vout int, value bigint NOT NULL, script_key uuid NOT NULL, spent_tx_id bigint, spent_vin int, PRIMARY KEY (tx_id, vout));
  CREATE INDEX ON txo (script_key, tx_id) WHERE spent_tx_id IS NULL;
  CREATE TABLE script (script_key uuid PRIMARY KEY, script bytea NOT NULL, received numeric NOT NULL DEFAULT 0, sent numeric NOT NULL DEFAULT 0,
    tx_count int NOT NULL DEFAULT 0, utxo_count int NOT NULL DEFAULT 0);
  CREATE TABLE script_tx (script_key uuid, pos int, tx_id bigint NOT NULL, PRIMARY KEY (script_key, pos))`

const SQL = {
  block: 'INSERT INTO block VALUES ($1, $2, $3)',
  tx: 'INSERT INTO tx VALUES ($1, $2, $3, $4)',
  output: 'INSERT INTO txo (tx_id, vout, value, script_key) VALUES ($1, $2, $3, $4)',
  receive: `INSERT INTO script (script_key, script, received, utxo_count) VALUES ($1, $2, $3, 1)
    ON CONFLICT (script_key) DO UPDATE SET received = script.received + excluded.received, utxo_count = script.utxo_count + 1`,
  spend: `UPDATE txo SET spent_tx_id = $1, spent_vin = $2 FROM tx WHERE tx.txid = $3 AND txo.tx_id = tx.tx_id AND vout = $4 RETURNING script_key, value`,
  send: 'UPDATE script SET sent = sent + $2, utxo_count = utxo_count - 1 WHERE script_key = $1',
  count: 'UPDATE script SET tx_count = tx_count + 1 WHERE script_key = $1 RETURNING tx_count - 1 AS pos',
  history: 'INSERT INTO script_tx VALUES ($1, $2, $3)',
}

export class NaiveIndex {
  transactions = 0
  rows = 0
  private readonly db: pg.Client

  constructor(db: pg.Client) {
    this.db = db
  }

  async create(): Promise<void> {
    await this.db.query(TABLES)
    // A statement that is planned while the tables are empty would always scan them.
    await this.db.query('SET enable_seqscan = off')
  }

  async apply(height: number, raw: Buffer): Promise<void> {
    const block = parseBlock(raw, 'btc')
    await this.db.query('BEGIN')
    await this.insert('block', [height, block.header.hash, block.header.raw])
    await this.applyTransactions(height, block)
    await this.db.query('COMMIT')
  }

  private async applyTransactions(height: number, { transactions }: Block): Promise<void> {
    for (const transaction of transactions) {
      const txId = this.transactions++
      await this.insert('tx', [txId, transaction.txid, height, transaction.raw])
      const touched = new Set([...(await this.spend(txId, transaction)), ...(await this.receive(txId, transaction))])
      for (const key of touched) {
        const [row] = await this.run('count', [key])
        await this.insert('history', [key, row?.pos, txId])
      }
    }
  }

  private async receive(txId: number, { outputs }: Transaction): Promise<string[]> {
    const keys: string[] = []
    for (const [vout, { value, script }] of outputs.entries()) {
      if (isUnspendable(script)) continue
      const owner = ownerScriptOf(script)
      const key = hash('sha256', owner, 'hex').slice(0, 32)
      await this.insert('output', [txId, vout, value, key])
      await this.insert('receive', [key, owner, value])
      keys.push(key)
    }
    return keys
  }

  private async spend(txId: number, { inputs, isCoinbase }: Transaction): Promise<string[]> {
    const keys: string[] = []
    for (const [vin, { txid, vout }] of isCoinbase ? [] : inputs.entries()) {
      const [spent] = await this.run('spend', [txId, vin, txid, vout])
      await this.run('send', [spent?.script_key, spent?.value])
      keys.push(String(spent?.script_key).replaceAll('-', ''))
    }
    return keys
  }

  private async insert(name: keyof typeof SQL, values: unknown[]): Promise<void> {
    await this.run(name, values)
    this.rows++
  }

  private async run(name: keyof typeof SQL, values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.db.query({ name, text: SQL[name], values })).rows
  }
}

import { hash } from 'node:crypto'
import { sha256d } from '@trestle/bitcoin/hash'
import pg from 'pg'

// An index as the writer would leave it, made by SQL: one address with a million transactions among 100,000 that have ten each.
//
// funding i     a coinbase pays 1 coin to owner i mod 100,000
// deposit i     spends funding i: 0.6 to the long address, the rest back to the owner
// withdrawal i  spends what deposit i paid to the long address, to a new owner; the last 100 deposits are unspent

const OWNERS = 100_000
const DEPOSITS = 500_050
const WITHDRAWALS = 499_950
export const LONG_HISTORY = DEPOSITS + WITHDRAWALS
const TRANSACTIONS = DEPOSITS + LONG_HISTORY
const A_BLOCK = 150

const GENESIS = Buffer.from('0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206', 'hex')
const GENESIS_TIME = 1_296_688_602
const SECRET = Buffer.alloc(16, 7)
const LONG_SCRIPT = Buffer.concat([Buffer.of(0x00, 0x14), Buffer.alloc(20, 0xaa)])
const EVERY_TABLE = ['tx', 'tx_raw', 'txo', 'script', 'script_tx']

interface LongHistory {
  /** The output scripts of the long address and of one with ten transactions. */
  readonly long: Buffer
  readonly short: Buffer
  readonly keyOf: (script: Buffer) => string
  /** Some transactions from all over the chain. */
  readonly txids: readonly string[]
  /** A day in the middle of the chain, as YYYY-MM-DD. */
  readonly day: string
}

export async function fillLongHistory(url: string): Promise<LongHistory> {
  const db = new pg.Client(url)
  await db.connect()
  const indexes = await dropIndexes(db)
  for (const statement of [...CHAIN, ...INDEX]) await db.query(statement)
  await insertBlocks(db)
  for (const statement of indexes) await db.query(statement)
  await db.query(
    `INSERT INTO index_state (genesis_hash, secret, phase, condition, node_height, node_hash, updated_at)
     SELECT $1, $2, 'tip', 'finished', height, hash, now() FROM block ORDER BY height DESC LIMIT 1`,
    [GENESIS, SECRET],
  )
  const sample = await db.query<{ txid: string }>(
    `SELECT encode(txid, 'hex') AS txid FROM generate_series(0, $1::int - 1, $2) AS id JOIN tx ON tx_id = id`,
    [TRANSACTIONS, Math.floor(TRANSACTIONS / 1000)],
  )
  await db.end()
  return {
    long: LONG_SCRIPT,
    short: Buffer.concat([Buffer.of(0x00, 0x14), ownerHash(OWNERS / 2)]),
    keyOf: (script) => hash('sha256', Buffer.concat([SECRET, script]), 'hex').slice(0, 32),
    txids: sample.rows.map(({ txid }) => txid),
    day: new Date((GENESIS_TIME + (TRANSACTIONS / A_BLOCK / 2) * 600) * 1000).toISOString().slice(0, 10),
  }
}

function ownerHash(owner: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeInt32BE(owner)
  return hash('sha256', number, 'buffer').subarray(0, 20)
}

const bytes = (hex: string) => `decode('${hex}', 'hex')`
const paysTo = (owner: string) => `'\\x0014'::bytea || ${owner}`
const amount = (sats: number | string) => `reverse(int8send(${sats}))`
const output = (sats: number, script: string) => `${amount(sats)} || '\\x16'::bytea || ${script}`
// A placeholder signature and public key.
const WITNESS = bytes(`0247${'30'.repeat(71)}21${'02'.repeat(33)}`)
const START = bytes('02000000')
const END = bytes('00000000')
const spends = (txid: string) => `'\\x01'::bytea || reverse(${txid}) || ${bytes('00000000')} || '\\x00'::bytea || ${bytes('fdffffff')}`
const owner = `substring(sha256(int4send(i % ${OWNERS})) FOR 20)`
const stranger = "substring(sha256('new'::bytea || int4send(i)) FOR 20)"
const long = bytes(LONG_SCRIPT.toString('hex'))
const keyOf = (script: string) => `encode(substring(sha256(${bytes(SECRET.toString('hex'))} || ${script}) FOR 16), 'hex')::uuid`

/** `body` is what the id is the hash of; a witness stands before the lock time (BIP 144). */
function transactions(name: string, txId: string, body: string, witness?: string, from = ''): string[] {
  const raw = witness ? `${START} || '\\x0001'::bytea || body || ${witness} || ${END}` : `${START} || body || ${END}`
  return [
    `CREATE UNLOGGED TABLE ${name} AS
     SELECT i, ${txId} AS tx_id, reverse(sha256(sha256(${START} || body || ${END}))) AS txid, ${raw} AS raw
     FROM (SELECT i, ${body} AS body ${from}) AS bodies`,
    `CREATE UNIQUE INDEX ON ${name} (i)`,
  ]
}

const coinbaseInput = `${bytes(`01${'00'.repeat(32)}ffffffff04`)} || int4send(i) || ${bytes('ffffffff')}`
const CHAIN = [
  ...transactions(
    'funding',
    'i::bigint',
    `${coinbaseInput} || '\\x01'::bytea || ${output(1e8, paysTo(owner))}`,
    undefined,
    `FROM generate_series(0, ${DEPOSITS - 1}) AS i`,
  ),
  ...transactions(
    'deposit',
    `${DEPOSITS} + i::bigint + least(i, ${WITHDRAWALS})`,
    `${spends('txid')} || '\\x02'::bytea || ${output(6e7, long)} || ${output(3.9999e7, paysTo(owner))}`,
    WITNESS,
    'FROM funding',
  ),
  ...transactions(
    'withdrawal',
    `${DEPOSITS} + 2 * i::bigint + 1`,
    `${spends('txid')} || '\\x01'::bytea || ${output(5.9999e7, paysTo(stranger))}`,
    WITNESS,
    `FROM deposit WHERE i < ${WITHDRAWALS}`,
  ),
]

const everyTransaction =
  'SELECT tx_id, txid, raw FROM funding UNION ALL SELECT tx_id, txid, raw FROM deposit UNION ALL SELECT tx_id, txid, raw FROM withdrawal'
const INDEX = [
  `INSERT INTO tx (tx_id, txid, height) SELECT tx_id, txid, tx_id / ${A_BLOCK} FROM (${everyTransaction}) AS every ORDER BY tx_id`,
  `INSERT INTO tx_raw (tx_id, raw) SELECT tx_id, raw FROM (${everyTransaction}) AS every ORDER BY tx_id`,
  `CREATE UNLOGGED TABLE paid AS
   SELECT f.tx_id, 0 AS vout, 100000000 AS value, ${paysTo(owner)} AS script, d.tx_id AS spent_tx_id
     FROM funding f JOIN deposit d USING (i)
   UNION ALL SELECT d.tx_id, 0, 60000000, ${long}, w.tx_id FROM deposit d LEFT JOIN withdrawal w USING (i)
   UNION ALL SELECT tx_id, 1, 39999000, ${paysTo(owner)}, NULL FROM deposit
   UNION ALL SELECT tx_id, 0, 59999000, ${paysTo(stranger)}, NULL FROM withdrawal`,
  `INSERT INTO txo (tx_id, vout, value, script_key, spent_tx_id, spent_vin)
   SELECT tx_id, vout, value, ${keyOf('script')}, spent_tx_id, CASE WHEN spent_tx_id IS NOT NULL THEN 0 END FROM paid ORDER BY tx_id, vout`,
  `INSERT INTO script_tx (script_key, pos, tx_id)
   SELECT script_key, row_number() OVER (PARTITION BY script_key ORDER BY tx_id) - 1, tx_id
   FROM (SELECT script_key, tx_id FROM txo UNION SELECT script_key, spent_tx_id FROM txo WHERE spent_tx_id IS NOT NULL) AS touched`,
  `INSERT INTO script (script_key, script, received, sent, tx_count, utxo_count)
   SELECT script_key, script, received, sent, tx_count, utxo_count
   FROM (SELECT script, sum(value) AS received, coalesce(sum(value) FILTER (WHERE spent_tx_id IS NOT NULL), 0) AS sent,
           count(*) FILTER (WHERE spent_tx_id IS NULL) AS utxo_count, ${keyOf('script')} AS script_key FROM paid GROUP BY script) AS sums
   JOIN (SELECT script_key, count(*) AS tx_count FROM script_tx GROUP BY script_key) AS counts USING (script_key)`,
  'DROP TABLE funding, deposit, withdrawal, paid',
]

/** Drops the indexes of the large tables, which makes filling faster, and returns the statements that recreate them. */
async function dropIndexes(db: pg.Client): Promise<string[]> {
  const { rows: constraints } = await db.query<{ back: string; drop: string }>(
    `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS back,
       format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
     FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype = 'p'`,
    [EVERY_TABLE],
  )
  const { rows: others } = await db.query<{ back: string; drop: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS back, format('DROP INDEX %s', indexrelid::regclass) AS drop
     FROM pg_index WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary`,
    [EVERY_TABLE],
  )
  const all = [...constraints, ...others]
  for (const { drop } of all) await db.query(drop)
  return all.map(({ back }) => back)
}

async function insertBlocks(db: pg.Client): Promise<void> {
  const headers: Buffer[] = []
  const hashes: Buffer[] = [Buffer.from(GENESIS).reverse()]
  for (let height = 0; height * A_BLOCK < TRANSACTIONS; height++) {
    const header = Buffer.alloc(80)
    hashes.at(height)?.copy(header, 4)
    header.writeUInt32LE(GENESIS_TIME + height * 600, 68)
    header.writeUInt32LE(0x207fffff, 72)
    headers.push(header)
    hashes.push(sha256d(header))
  }
  const displayed = hashes.slice(1).map((each) => Buffer.from(each).reverse())
  await db.query(
    `INSERT INTO block (height, hash, header, time, size, tx_count, first_tx_id, chainwork, coinbase, payout_script)
     SELECT n - 1, hash, header, $3 + (n - 1) * 600, 30000, least($4, $5 - (n - 1) * $4), (n - 1) * $4,
       decode(lpad(to_hex(n * 2), 64, '0'), 'hex'), '\\x00', '\\x'
     FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS blocks (hash, header, n)`,
    [displayed, headers, GENESIS_TIME, A_BLOCK, TRANSACTIONS],
  )
}

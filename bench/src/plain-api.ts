import { createServer } from 'node:http'
import { parseTransaction } from '@trestle/bitcoin/transaction'
import pg from 'pg'
import { listenAndPrint } from './listen-and-print.ts'

// The same requests on the same tables, implemented naively: sums, counts and OFFSET, a query per input. No tokens, logs or snapshots.

interface Row {
  tx_id: string
  txid: Buffer
  height: number
  time: number
  raw: Buffer
}

const SUMS = `SELECT sum(value) AS received, sum(value) FILTER (WHERE spent_tx_id IS NOT NULL) AS sent FROM txo WHERE script_key = $1`
const COUNT = 'SELECT count(*)::int AS count FROM script_tx WHERE script_key = $1'
const TRANSACTION = 'SELECT tx_id, txid, height, time, raw FROM tx JOIN tx_raw USING (tx_id) JOIN block USING (height)'
const PAGE = `${TRANSACTION} JOIN (SELECT tx_id FROM script_tx WHERE script_key = $1 ORDER BY pos DESC LIMIT 10 OFFSET $2) AS page USING (tx_id)
  ORDER BY tx_id DESC`
const SPENT = 'SELECT value, script FROM tx JOIN txo USING (tx_id) JOIN script USING (script_key) WHERE txid = $1 AND vout = $2'
const SPENDERS = 'SELECT vout, spent_vin, txid, height FROM txo JOIN tx ON tx.tx_id = spent_tx_id WHERE txo.tx_id = $1'
const UNSPENT = `SELECT txid, vout, value, height, time FROM txo JOIN tx USING (tx_id) JOIN block USING (height)
  WHERE script_key = $1 AND spent_tx_id IS NULL ORDER BY tx_id DESC`
const DAY = 'SELECT height, hash, size, tx_count, time FROM block WHERE to_timestamp(time)::date = $1 ORDER BY height DESC'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })

const routes: Record<string, (subject: string, page: number) => Promise<unknown>> = {
  addr: async (key) => ({ ...(await first(SUMS, [key])), ...(await first(COUNT, [key])) }),
  txs: async (key, page) => {
    const counted = await first(COUNT, [key])
    const txs = []
    for (const row of await rows<Row>(PAGE, [key, page * 10])) txs.push(await whole(row))
    return { pagesTotal: Math.ceil(Number(counted?.count) / 10), txs }
  },
  tx: async (txid) => {
    const row = await first<Row>(`${TRANSACTION} WHERE txid = $1`, [Buffer.from(txid, 'hex')])
    return row && whole(row)
  },
  utxo: async (key) => (await rows(UNSPENT, [key])).map(readable),
  blocks: async (day) => (await rows(DAY, [day])).map(readable),
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://plain')
  const [, route = '', subject = ''] = pathname.split('/')
  const answer = routes[route]?.(subject, Number(searchParams.get('pageNum') ?? 0)) ?? Promise.reject(new Error('no such route'))
  answer.then(
    (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    (error) => response.writeHead(500).end(String(error)),
  )
})
listenAndPrint(server)

async function whole({ tx_id, txid, height, time, raw }: Row) {
  const { version, lockTime, inputs, outputs, isCoinbase } = parseTransaction(raw, 'btc')
  const vin = []
  for (const input of inputs) {
    const spent = isCoinbase ? undefined : await first(SPENT, [input.txid, input.vout])
    vin.push(readable({ ...input, ...spent }))
  }
  const spenders = new Map((await rows(SPENDERS, [tx_id])).map((spender) => [spender.vout, readable(spender)]))
  const vout = outputs.map((output, n) => ({ ...readable({ ...output }), spent: spenders.get(n) }))
  return { ...readable({ txid }), version, locktime: lockTime, height, time, size: raw.length, vin, vout }
}

async function rows<R extends pg.QueryResultRow = Record<string, unknown>>(text: string, values: unknown[]): Promise<R[]> {
  return (await pool.query<R>({ name: text.slice(0, 40) + text.length, text, values })).rows
}

async function first<R extends pg.QueryResultRow = Record<string, unknown>>(text: string, values: unknown[]): Promise<R | undefined> {
  return (await rows<R>(text, values))[0]
}

function readable(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]))
}

function text(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return typeof value === 'bigint' ? Number(value) : value
}

import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ChainFile, type StoredBlock, storeChain } from '../src/chain-file.ts'
import { generateChain } from '../src/chain-generator.ts'
import { startChainService } from '../src/chain-service.ts'
import { type Cost, IndexWatch } from '../src/index-watch.ts'
import { quantile } from '../src/load.ts'
import { NaiveIndex } from '../src/naive-index.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { peakMebibytes } from '../src/process.ts'
import { Random } from '../src/random.ts'
import { report, rounded } from '../src/report.ts'
import { createSchema } from '../src/service.ts'
import { startBlockServer } from '../src/start-block-server.ts'

// An empty index and a node that has 300,000 transactions, then full blocks one at a time; everything, Postgres too, on this machine's
// cores. The chain is the hardest for the writer: all large blocks are consecutive.

const SEED = 20_261
/** More for a larger machine. */
const LOADED = Number(process.env.BENCH_TRANSACTIONS ?? 300_000)
const YOUNG_BLOCKS = 300
const LATE_BLOCKS = 2000
const TIP_BLOCKS = 20
const TIP_TRANSACTIONS = 4000
const NAIVE_BLOCKS = 3
const TABLES = ['block', 'tx', 'tx_raw', 'txo', 'own_script', 'script', 'script_tx']

// As docs/btc-connect.md recommends; commits are durable, as always.
const POSTGRES = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`, max_wal_size: '16GB', checkpoint_timeout: '15min' }

const platform = await startBenchPlatform(['accounts'], POSTGRES)
const file = join(platform.dataDir, 'chain')
const blocks = storeChain(file, generateChain(SEED, payments()))
const loaded = blocks.slice(0, -TIP_BLOCKS)
const tip = loaded.length - 1
const node = await startBlockServer(file, tip)
const db = new pg.Client(platform.info.postgres)
await db.connect()

// Without the raw transactions, as on a main network.
const settings = {
  ROLE: 'indexer',
  STORE_RAW: 'false',
  DATABASE_URL: await createSchema(platform, 'btc-connect', 'btc'),
  NODE_URL: node.url,
} as const
const indexer = await startChainService(platform, settings)
const watch = new IndexWatch(platform, indexer.pid, node.pid)
await Promise.race([watch.until(tip), indexer.exited.then((reason) => Promise.reject(new Error(`the indexer exited: ${reason}`)))])
const bulkPeak = peakMebibytes(indexer.pid)
const rows = await countRows()
const tipSeconds = await applyAtTheTip(blocks.slice(-TIP_BLOCKS))
const peak = peakMebibytes(indexer.pid)
await indexer.stop()
await node.stop()
const naive = await runNaive()
await db.end()
await platform.stop()

const whole = watch.cost()
const transactions = loaded.reduce((sum, block) => sum + block.transactions, 0)
const bytes = loaded.reduce((sum, block) => sum + block.size, 0)
const perSecond = transactions / whole.seconds
const merge = watch.cost('merge')
const indexing = watch.indexingShare('merge')
report({
  name: 'btc index',
  target: 'an empty index loads 10,000 transactions a second from the first block to the last, and the indexer never uses more than 1 GiB',
  met: perSecond >= 10_000 && peak <= 1024,
  rows: [
    row('load', watch.cost('load')),
    row('merge', times(merge, 1 - indexing)),
    row('build indexes', times(merge, indexing)),
    row('last blocks', watch.cost('tip')),
    {
      ...row('all', whole),
      ...rates(transactions, rows, bytes, whole.seconds),
      'peak RSS MiB': Math.round(bulkPeak),
      ratio: rounded(perSecond / naive.perSecond, 1),
    },
    { part: 'naive', seconds: rounded(naive.seconds), ...rates(naive.transactions, naive.rows, naive.bytes, naive.seconds), ratio: 1 },
  ],
})

const sorted = tipSeconds.toSorted((a, b) => a - b)
report({
  name: 'btc index tip',
  target: `a block of ${TIP_TRANSACTIONS.toLocaleString('en')} transactions is in the index within a second of the first request for its bytes`,
  met: quantile(sorted, 0.99) <= 1,
  rows: [
    {
      blocks: sorted.length,
      'median s': rounded(quantile(sorted, 0.5), 3),
      'slowest s': rounded(quantile(sorted, 0.99), 3),
      'tx/s': Math.round(TIP_TRANSACTIONS / quantile(sorted, 0.5)),
      'ratio to naive': rounded(TIP_TRANSACTIONS / quantile(sorted, 0.5) / naive.perSecond, 1),
      'peak RSS MiB': Math.round(peak),
    },
  ],
})

function* payments(): Generator<number> {
  const random = new Random(SEED)
  for (let i = 0; i < YOUNG_BLOCKS; i++) yield 0
  for (let left = LOADED; left > 0; ) {
    const block = Math.min(left, random.between(2000, 4000))
    left -= block
    yield block
  }
  // Bulk mode needs a chain of some length, and leaves the newest blocks to tip mode.
  for (let i = 0; i < LATE_BLOCKS; i++) yield 0
  for (let i = 0; i < TIP_BLOCKS; i++) yield TIP_TRANSACTIONS
}

async function countRows(): Promise<number> {
  const counts = TABLES.map((table) => `(SELECT count(*) FROM btc.${table})`)
  const { rows } = await db.query<{ count: string }>(`SELECT ${counts.join(' + ')} AS count`)
  return Number(rows[0]?.count)
}

/** Reveals one block after another; returns the seconds from the first request for its bytes to the notification of its commit. */
async function applyAtTheTip(revealed: readonly StoredBlock[]): Promise<number[]> {
  await db.query('LISTEN tip')
  const seconds: number[] = []
  for (const { height, hash } of revealed) {
    const notified = new Promise<number>((resolve) => db.once('notification', () => resolve(Date.now())))
    await node.setHeight(height)
    const at = await notified
    const requestedAt = await node.requestedAt(hash)
    seconds.push((at - requestedAt) / 1000)
    await pause(200)
  }
  const { rows } = await db.query<{ height: number }>('SELECT max(height) AS height FROM btc.block')
  if (rows[0]?.height !== revealed.at(-1)?.height) throw new Error('a notification arrived before its block')
  return seconds
}

/** The first full blocks, in separate tables of the same Postgres; earlier ones have few transactions and many outputs. */
async function runNaive() {
  const chain = new ChainFile(file)
  const index = new NaiveIndex(db)
  await index.create()
  for (const block of chain.blocks.slice(0, YOUNG_BLOCKS + 1)) await index.apply(block.height, chain.read(block))
  const before = { transactions: index.transactions, rows: index.rows }
  const started = performance.now()
  let bytes = 0
  for (const block of chain.blocks.slice(YOUNG_BLOCKS + 1, YOUNG_BLOCKS + 1 + NAIVE_BLOCKS)) {
    await index.apply(block.height, chain.read(block))
    bytes += block.size
  }
  const seconds = (performance.now() - started) / 1000
  const transactions = index.transactions - before.transactions
  return { seconds, bytes, transactions, rows: index.rows - before.rows, perSecond: transactions / seconds }
}

function rates(transactions: number, rows: number, bytes: number, seconds: number) {
  return {
    transactions,
    'tx/s': Math.round(transactions / seconds),
    'rows/s': Math.round(rows / seconds),
    'MB/s': rounded(bytes / seconds / 1e6),
  }
}

function row(part: string, { seconds, indexer, postgres, server }: Cost) {
  return {
    part,
    seconds: rounded(seconds),
    'CPU s indexer': rounded(indexer),
    'CPU s Postgres': rounded(postgres),
    'CPU s block server': rounded(server),
  }
}

function times({ seconds, indexer, postgres, server }: Cost, share: number): Cost {
  return { seconds: seconds * share, indexer: indexer * share, postgres: postgres * share, server: server * share }
}

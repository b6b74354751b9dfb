import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import pg from 'pg'
import { startChainService } from '../src/chain-service.ts'
import { type Load, type Measured, measure, median } from '../src/load.ts'
import { fillLongHistory, LONG_HISTORY } from '../src/long-history.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'
import { createSchema } from '../src/service.ts'

// One address with a million transactions among 100,000 ordinary ones: a request about it must cost what it costs for any other. Each
// is compared with a plain version ('SUM and OFFSET', no tokens, no logs) on the same tables.

const ROUNDS = 5
const DEEP = 60_000

const platform = await startBenchPlatform(['accounts'])
const databaseUrl = await createSchema(platform, 'btc-connect', 'btc')
const chain = await fillLongHistory(databaseUrl)
await settle()
const api = await startChainService(platform, { ROLE: 'api', DATABASE_URL: databaseUrl, NODE_URL: 'http://127.0.0.1:9' })
const plain = await startScript('./plain-api.ts', databaseUrl)
const headers = { authorization: `Bearer ${await platform.signIn()}` }

const [long, short] = [chain.long, chain.short].map((script) => addressOf(script, chainRules('btc', 'regtest')))
const [longKey, shortKey] = [chain.long, chain.short].map(chain.keyOf)
const deepPages = Array.from({ length: 100 }, (_, i) => DEEP + i)
const utxoHeaders = { ...headers, 'content-type': 'application/json' }
const requests = {
  'short address': compare({ path: `/api/v1/addr/${short}?noTxList=1` }, `/addr/${shortKey}`),
  'long address': compare({ path: `/api/v1/addr/${long}?noTxList=1` }, `/addr/${longKey}`),
  'page 0': compare({ path: `/api/v1/txs?address=${long}&pageNum=0` }, `/txs/${longKey}?pageNum=0`),
  'page 60,000': compare(
    { path: deepPages.map((page) => `/api/v1/txs?address=${long}&pageNum=${page}`) },
    deepPages.map((page) => `/txs/${longKey}?pageNum=${page}`),
  ),
  transaction: compare(
    { path: chain.txids.map((txid) => `/api/v1/tx/${txid}`) },
    chain.txids.map((txid) => `/tx/${txid}`),
  ),
  'utxo of the short': compare(utxo(short), `/utxo/${shortKey}`),
  'utxo of the long': compare(utxo(long), `/utxo/${longKey}`),
  'blocks of a day': compare({ path: `/api/v1/blocks?date=${chain.day}` }, `/blocks/${chain.day}`),
}

for (const load of Object.values(requests).flatMap(({ ours, theirs }) => [ours, theirs])) await requireAnswer(load)
for (const { ours } of Object.values(requests)) await measure(ours)
const runs = new Map<Load, Measured[]>()
for (let round = 0; round < ROUNDS; round++) {
  for (const { ours, theirs } of Object.values(requests)) {
    for (const load of [ours, theirs]) runs.set(load, [...(runs.get(load) ?? []), await measure(load)])
  }
}
await plain.stop()
await api.stop()
await platform.stop()

const ratios = {
  address: ratio('long address', 'short address', 'p99'),
  deep: Math.max(ratio('page 60,000', 'page 0', 'p50'), ratio('page 60,000', 'page 0', 'p99')),
}
report({
  name: 'btc api',
  target: `an address with ${LONG_HISTORY.toLocaleString('en')} transactions has its summary within 1.5 times the p99 of one with ten, and page 60,000 of them within twice page 0`,
  met: ratios.address <= 1.5 && ratios.deep <= 2 && [...runs.values()].flat().every(({ failures }) => failures === 0),
  rows: [
    ...Object.entries(requests).flatMap(([request, { ours, theirs }]) => [
      row(request, 'btc-connect', ours),
      row(request, 'plain', theirs),
    ]),
    { request: 'long address / short address', version: 'btc-connect', 'p99 ms': rounded(ratios.address, 2) },
    { request: 'page 60,000 / page 0', version: 'btc-connect', 'p99 ms': rounded(ratios.deep, 2) },
  ],
})

type RequestSpec = Pick<Load, 'path'> & Partial<Load>

function compare(spec: RequestSpec, plainPath: Load['path']): { ours: Load; theirs: Load } {
  const common = { connections: 2, seconds: 2, postgresPid: platform.postgresPid }
  return {
    ours: { ...common, origin: api.url, pid: api.pid, headers, ...spec },
    theirs: { ...common, origin: plain.url, pid: plain.pid, path: plainPath },
  }
}

function utxo(address: string | undefined): RequestSpec {
  return { path: '/api/v1/addrs/utxo', method: 'POST', headers: utxoHeaders, body: JSON.stringify({ addrs: address }) }
}

async function requireAnswer({ origin, path, method, headers, body }: Load): Promise<void> {
  const answer = await fetch(`${origin}${[path].flat()[0]}`, { method, headers, body })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
}

/** The median over all rounds. */
function quantileOf(load: Load, which: 'p50' | 'p99'): number {
  const sorted = (runs.get(load) ?? []).map((run) => run[which]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function ratio(one: keyof typeof requests, other: keyof typeof requests, which: 'p50' | 'p99'): number {
  return quantileOf(requests[one].ours, which) / quantileOf(requests[other].ours, which)
}

function row(request: string, version: string, load: Load) {
  const { cpuMicrosPerRequest, perSecond, failures } = median(runs.get(load) ?? [])
  return {
    request,
    version,
    'p50 ms': rounded(quantileOf(load, 'p50'), 2),
    'p99 ms': rounded(quantileOf(load, 'p99'), 2),
    // What one fully used core would answer, Postgres included.
    'requests/s/core': Math.round(1e6 / cpuMicrosPerRequest),
    'requests/s measured': Math.round(perSecond),
    failures,
  }
}

/** Leaves no background work. Our tables have no index for a sum over all outputs of a script, which the plain version needs: one is added. */
async function settle(): Promise<void> {
  const db = new pg.Client(platform.info.postgres)
  await db.connect()
  await db.query('CREATE INDEX plain_txo_script ON btc.txo (script_key)')
  await db.query('VACUUM ANALYZE')
  await db.query('CHECKPOINT')
  await db.end()
}

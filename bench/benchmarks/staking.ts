import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { secretKeyFrom } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit } from '@trestle/ethereum/deposit'
import { networkOf } from '@trestle/ethereum/network'
import pg from 'pg'
import { NaiveLedger } from '../src/naive-ledger.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { cpuSeconds, peakMebibytes, startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'
import { createSchema } from '../src/service.ts'
import { startStakingService } from '../src/staking-service.ts'

// Keys, then a ledger of 100,000 validators: finalized epochs one at a time from a node that has their states and rewards ready, and the
// report of an organization whose validators are spread over the whole ledger; compared with a ledger with a row for each validator and epoch.

const VALIDATORS = 100_000
const OWN = 2_000
const DAYS = 30
const EPOCHS_A_DAY = 225
const FIRST = 1000
// The third revealed epoch is the last of its day.
const REVEALED = 5
const MIDNIGHT = new Date().setUTCHours(0, 0, 0, 0)
const GENESIS = MIDNIGHT / 1000 - (FIRST + 4) * 384

keys()
const platform = await startBenchPlatform(['accounts'])
const db = new pg.Client(platform.info.postgres)
await db.connect()
const databaseUrl = await createSchema(platform, 'staking', 'staking')
await insertHistory(platform.info.demo.userId)
const beacon = await startScript('./stub-beacon.ts', String(VALIDATORS), String(GENESIS), String(FIRST))
const worker = await startStakingService(platform, { role: 'worker', databaseUrl, beaconUrl: beacon.url })
await reveal(FIRST + 1)
await untilIdle()
const epochs = []
for (let epoch = FIRST + 2; epoch < FIRST + 2 + REVEALED; epoch++) epochs.push(await reveal(epoch))
const peak = peakMebibytes(worker.pid)
const size = await sizes()
await worker.stop()
const reports = await billing()
await beacon.stop()
const naive = await runNaive()
await db.end()
await platform.stop()

const plain = epochs.filter((_, i) => i !== 2)
const slowest = Math.max(...epochs.map(({ seconds }) => seconds))
const requests = Math.max(...epochs.map((each) => each.requests))
report({
  name: 'staking ledger',
  target: `an epoch of ${VALIDATORS.toLocaleString('en')} validators is booked within 10 s, including the last of a day, in at most 1 GiB`,
  met: slowest <= 10 && peak <= 1024 && size.odd === 0,
  rows: [
    row('booked', Math.max(...plain.map(({ seconds }) => seconds)), size.bytesAnEpoch, VALIDATORS / 1000),
    row('booked, and the day sealed', epochs[2]?.seconds ?? 0, size.bytesAnEpoch, VALIDATORS / 1000),
    row('naive, only written', naive.seconds, naive.bytesAnEpoch, VALIDATORS),
  ].map((each, i) => (i < 2 ? { ...each, 'requests an epoch': requests, 'peak RSS MiB': Math.round(peak) } : each)),
})
report({
  name: 'staking report',
  target: `the bill of ${OWN.toLocaleString('en')} validators and ${DAYS} days is ready within a second`,
  met: Math.max(...reports.seconds) <= 1,
  rows: [
    {
      report: 'billing, over HTTP',
      days: DAYS,
      'first s': rounded(reports.seconds[0] ?? 0, 3),
      'median s': rounded(median(reports.seconds), 3),
      KB: reports.kilobytes,
    },
    {
      report: 'naive, the query alone',
      days: 1,
      'first s': rounded(naive.report[0] ?? 0, 3),
      'median s': rounded(median(naive.report), 3),
      KB: 0,
    },
  ].map((each) => ({ ...each, 'ratio by day': rounded(each['median s'] / each.days / (median(reports.seconds) / DAYS), 1) })),
})

function row(ledger: string, seconds: number, bytes: number, rows: number) {
  return {
    ledger,
    'seconds an epoch': rounded(seconds, 2),
    'rows a day': Math.round(rows * EPOCHS_A_DAY),
    'MB a day': Math.round((bytes * EPOCHS_A_DAY) / 1e6),
  }
}

/** Deposit data on one core: a key, its signature, its roots, the call, all verified. */
function keys(): void {
  const network = networkOf('mainnet')
  const terms = {
    withdrawalCredentials: Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xa1)]),
    amountGwei: 32_000_000_000n,
  }
  // The package verifies every signature from its bytes before it returns it.
  const makeCall = () => encodeDepositCall(makeDeposit(secretKeyFrom(randomBytes(64)), terms, network))
  for (let i = 0; i < 50; i++) makeCall()
  const before = cpuSeconds(process.pid)
  const started = performance.now()
  const count = 1000
  for (let i = 0; i < count; i++) makeCall()
  const cpu = cpuSeconds(process.pid) - before
  report({
    name: 'staking keys',
    target: 'deposit data 300 times a second on one core, verified',
    met: count / cpu >= 300,
    rows: [
      { made: count, 'a second': Math.round((count * 1000) / (performance.now() - started)), 'a CPU second': Math.round(count / cpu) },
    ],
  })
}

/** All validators, every fiftieth the demo user's, and their rewards of the previous days. */
async function insertHistory(userId: string): Promise<void> {
  const created = new Date((GENESIS + FIRST * 384) * 1000)
  await db.query(
    `INSERT INTO staking.validator (serial, chain, pubkey, user_id, region, withdrawal_credentials, deposit_data, created_at, fee_address,
       imported_at, ready_at, chain_index, beacon_status, balance_gwei, effective_balance_gwei, activation_epoch)
     SELECT i, 'dev', decode(lpad(to_hex(i), 96, '0'), 'hex'), CASE WHEN i % $1 = 0 THEN $2 ELSE 'user-other' END, 'here',
       decode('01' || repeat('00', 11) || repeat('a1', 20), 'hex'), decode(repeat('00', 420), 'hex'), $3, decode(repeat('02', 20), 'hex'),
       $3, $3, i, 'active_ongoing', 32000000000, 32000000000, 1
     FROM generate_series(0, $4 - 1) AS i`,
    [VALIDATORS / OWN, userId, created, VALIDATORS],
  )
  // The rows are as many and as large as the service's own; their references are correct, so triggers are skipped.
  await db.query('SET session_replication_role = replica')
  await db.query(
    `INSERT INTO staking.validator_day
     SELECT serial, day, 32000000000, 32000000000 + 2400000 - serial % 1000, 32, false, 0, 0, 2400000, serial % 1000, 0, 0, 225, 7200, 0
     FROM generate_series($1::date - $2::int, $1::date - 2, interval '1 day') AS day, generate_series(0, $3 - 1) AS serial`,
    [new Date(MIDNIGHT), DAYS, VALIDATORS],
  )
  await db.query('SET session_replication_role = origin')
  await db.query('VACUUM ANALYZE staking.validator_day, staking.validator')
}

/** Finalizes up to this epoch; resolves when all earlier ones are booked, with the seconds since the first request for them. */
async function reveal(epoch: number): Promise<{ seconds: number; requests: number }> {
  await fetch(`${beacon.url}/finalize`, { method: 'POST', body: String(epoch) })
  for (;;) {
    const { rows } = await db.query<{ next_epoch: number }>('SELECT next_epoch FROM staking.reward_cursor')
    if (rows[0]?.next_epoch === epoch) break
    await pause(20)
  }
  const bookedAt = Date.now()
  const { requestedAt, requests } = JSON.parse(await (await fetch(`${beacon.url}/counts`)).text())
  return { seconds: (bookedAt - requestedAt) / 1000, requests }
}

/** Until the worker has reconciled all validators once. */
async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuSeconds(worker.pid)
    await pause(1000)
    quiet = cpuSeconds(worker.pid) - before < 0.1 ? quiet + 1 : 0
  }
}

async function sizes(): Promise<{ bytesAnEpoch: number; odd: number }> {
  const { rows } = await db.query<{ bytes: string; epochs: number; odd: number }>(
    `SELECT pg_total_relation_size('staking.epoch_chunk') AS bytes, count(DISTINCT epoch)::int AS epochs,
            count(coalesce(rounding_gwei, unbroken_epochs))::int AS odd FROM staking.epoch_chunk`,
  )
  const [row] = rows
  return { bytesAnEpoch: Number(row?.bytes) / (row?.epochs ?? 1), odd: row?.odd ?? 0 }
}

async function billing(): Promise<{ seconds: number[]; kilobytes: number }> {
  const api = await startStakingService(platform, { role: 'api', databaseUrl, beaconUrl: beacon.url })
  const headers = { authorization: `Bearer ${await platform.signIn()}`, 'content-type': 'application/json' }
  const founded = await fetch(`${platform.accounts.url}/organizations`, { method: 'POST', headers, body: '{"name":"Bench"}' })
  const { id } = JSON.parse(await founded.text())
  const member = `${platform.accounts.url}/organizations/${id}/members/${platform.info.demo.userId}`
  await fetch(member, { method: 'PUT', headers, body: '{"roles":["owner","billing"]}' })
  const day = (offset: number) => new Date(MIDNIGHT + offset * 86_400_000).toISOString().slice(0, 10)
  const url = `${api.url}/staking/ethereum/billing/report?fromDate=${day(1 - DAYS)}&toDate=${day(0)}`
  const seconds: number[] = []
  let kilobytes = 0
  for (let i = 0; i < 7; i++) {
    const started = performance.now()
    const answer = await fetch(url, { headers: { ...headers, accept: 'application/json' } })
    const body = await answer.text()
    seconds.push((performance.now() - started) / 1000)
    const [entry] = JSON.parse(body)
    if (entry?.validatorsPerChain[0]?.totalActiveValidators !== OWN)
      throw new Error(`the report is wrong: ${answer.status} ${body.slice(0, 300)}`)
    kilobytes = Math.round(body.length / 1000)
  }
  await api.stop()
  return { seconds, kilobytes }
}

async function runNaive() {
  const ledger = new NaiveLedger(db)
  await ledger.create()
  const all = Array.from({ length: VALIDATORS }, (_, i) => i)
  const own = all.filter((i) => i % (VALIDATORS / OWN) === 0)
  const others = 3
  const started = performance.now()
  for (let epoch = 0; epoch < others; epoch++) await ledger.book(epoch, all)
  const seconds = (performance.now() - started) / 1000 / others
  const bytesAnEpoch = (await ledger.bytes()) / others
  for (let epoch = others; epoch < EPOCHS_A_DAY; epoch++) await ledger.book(epoch, own)
  await db.query('VACUUM ANALYZE naive_ledger.reward')
  const report: number[] = []
  for (let i = 0; i < 5; i++) {
    const before = performance.now()
    await ledger.report(own, 0, EPOCHS_A_DAY - 1)
    report.push((performance.now() - before) / 1000)
  }
  return { seconds, bytesAnEpoch, report }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

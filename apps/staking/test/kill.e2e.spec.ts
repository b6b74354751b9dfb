import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { publicKeyOf } from '@trestle/ethereum/bls'
import { parseKeystore } from '@trestle/ethereum/keystore'
import { decryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import { Sealer } from '@trestle/runtime/sealing'
import { eventually } from '@trestle/testing/eventually'
import { freshDatabase } from '@trestle/testing/postgres'
import { startPostgresProxy } from '@trestle/testing/postgres-proxy'
import { Pool } from 'pg'
import { STAKING_MIGRATIONS, type StakingUnderTest, startStakingUnderTest, untilBooked } from './staking-under-test.js'

// kill -9 of the worker at random moments in the lives of validators, with the beacon node, a validator client, NATS and Postgres away in turn.
// Every acknowledged answer is held against the chain afterwards, and the ledger against one that nobody disturbed. ROUNDS=50 for the long run.

const ROUNDS = Number(process.env.ROUNDS ?? 6)
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const LEDGER = ['epoch_chunk', 'validator_day', 'day_so_far', 'execution_reward']
const ADDRESS = `0x${'a1'.repeat(20)}`
const VALIDATORS = '/dev/validators'

interface Life {
  readonly pubkey: string
  readonly depositData: string
  deposited?: boolean
  exits?: boolean
}

let staking: StakingUnderTest
let link: Awaited<ReturnType<typeof startPostgresProxy>>
beforeAll(async () => {
  staking = await startStakingUnderTest({ ROLE: 'api' })
  link = await startPostgresProxy(staking.database.url)
})
afterAll(async () => {
  link.close()
  await staking.stop()
})

it(
  'no key, exit or epoch is lost or duplicated, whichever process is killed',
  async () => {
    const owners = [staking.user(), staking.user()]
    const lives: { owner: (typeof owners)[number]; life: Life }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const worker = spawnWorker()
      const mend = await breakSomething(round)
      const owner = owners[round % 2]!
      const { status, body } = await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS, region: round % 3 ? 'eu' : 'us' })
      expect(status).toBe(200)
      lives.push({ owner, life: body })
      await Promise.all([goOn(lives, round), delay(200 + Math.random() * 1500)])
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      await mend()
    }
    const worker = spawnWorker()
    for (const each of lives) await pay(each)
    await grow(lives, ({ exits }, { status }) => (exits ? status === 'withdrawn' : status === 'active'))
    const { finalizedEpoch } = (await staking.dev('status')) as { finalizedEpoch: number }
    await untilBooked(staking.sql, finalizedEpoch)
    worker.kill('SIGKILL')
    await once(worker, 'exit')

    expect(await staking.dev('double-signers')).toEqual([])
    await expectKeys(lives.map(({ life }) => life.pubkey))
    const { rows } = await staking.sql.query("SELECT encode(pubkey, 'hex') AS pubkey FROM signed_exit")
    expect(rows.map(({ pubkey }) => pubkey).sort()).toEqual(
      lives
        .filter(({ life }) => life.exits)
        .map(({ life }) => life.pubkey)
        .sort(),
    )
    expect(await ledgerOf(staking.sql, finalizedEpoch)).toEqual(await undisturbedLedger(finalizedEpoch))
  },
  120_000 + ROUNDS * 20_000,
)

/** Some are paid for, some exit, all get older; what does not succeed now is not counted on. */
async function goOn(lives: { owner: ReturnType<StakingUnderTest['user']>; life: Life }[], round: number): Promise<void> {
  for (const each of lives.slice(0, -1)) await pay(each, 0)
  const [first] = lives.filter(({ life }) => life.deposited && !life.exits)
  if (first && round % 3 === 2) {
    const { status } = await first.owner('POST', `${VALIDATORS}/${first.life.pubkey}/validatorExit`)
    first.life.exits = status === 204
  }
  for (let i = 0; i < 3; i++) {
    await staking.advance({ epochs: 1 })
    await delay(Math.random() * 300)
  }
}

/** As an owner does: once it is said to be ready. */
async function pay({ owner, life }: { owner: ReturnType<StakingUnderTest['user']>; life: Life }, patienceMs = 45_000): Promise<void> {
  if (life.deposited) return
  const isReady = async () => (await owner('GET', `${VALIDATORS}/${life.pubkey}`)).body.phase === 'ready'
  if (patienceMs === 0 && !(await isReady())) return
  await eventually(async () => (await isReady()) || undefined, 'it is ready', patienceMs)
  life.deposited = true
  await staking.deposit(life.depositData)
}

async function grow(
  lives: { owner: ReturnType<StakingUnderTest['user']>; life: Life }[],
  isDone: (life: Life, shown: { status: string }) => boolean,
): Promise<void> {
  for (let epoch = 0; epoch < 150; epoch++) {
    const shown = await Promise.all(lives.map(async ({ owner, life }) => (await owner('GET', `${VALIDATORS}/${life.pubkey}`)).body))
    if (lives.every(({ life }, i) => isDone(life, shown[i]))) return
    await staking.advance({ epochs: 1 })
    await staking.observed()
  }
  throw new Error('It does not come to an end.')
}

async function breakSomething(round: number): Promise<() => Promise<unknown>> {
  const { dev, nats } = staking
  const down = async (server: string) => {
    await dev('down', { server, down: true })
    return () => dev('down', { server, down: false })
  }
  switch (round % 6) {
    case 1:
      return down('beacon')
    case 2:
      return down('eu')
    case 3:
      await nats.kill()
      return () => nats.start()
    case 4:
      link.cut()
      return async () => link.mend()
    case 5:
      return down('us')
    default:
      return async () => {}
  }
}

function spawnWorker(): ChildProcess {
  const environment = { ...staking.environment, ROLE: 'worker', DATABASE_URL: link.url }
  return spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** What an owner was told of is there, and opens with the sealing key only. */
async function expectKeys(pubkeys: readonly string[]): Promise<void> {
  const sealer = new Sealer([Buffer.alloc(32, 7)])
  const { rows } = await staking.sql.query('SELECT pubkey, keystore, sealed_password FROM validator_key')
  expect(rows.map(({ pubkey }) => pubkey.toString('hex'))).toEqual(expect.arrayContaining([...pubkeys]))
  for (const { pubkey, keystore, sealed_password } of rows) {
    const secret = await decryptKeystore(parseKeystore(keystore), sealer.open(sealed_password, pubkey))
    expect(publicKeyOf(secret).equals(pubkey)).toBe(true)
  }
}

/** Up to an epoch that both have. */
async function ledgerOf(sql: Pool, epoch: number) {
  const tables = await Promise.all(
    LEDGER.map(async (table) => [table, (await sql.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)).rows] as const),
  )
  const { rows } = await sql.query('SELECT next_epoch FROM reward_cursor')
  expect(rows).toEqual([{ next_epoch: epoch }])
  return Object.fromEntries(tables)
}

/** Of a worker that nobody kills, on the same chain and validators. */
async function undisturbedLedger(epoch: number) {
  const database = await freshDatabase({ schema: 'staking', migrations: STAKING_MIGRATIONS })
  const sql = new Pool({ connectionString: database.url, max: 2 })
  // The database may be dropped before a connection has ended.
  sql.on('error', () => {})
  for (const table of ['validator', 'validator_key', 'past_fee_address']) {
    const { rows } = await staking.sql.query(`SELECT row_to_json(each) AS row FROM ${table} AS each`)
    await sql.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows.map(({ row }) => row)),
    ])
  }
  const worker = await staking.replica({ ROLE: 'worker', DATABASE_URL: database.url })
  try {
    await untilBooked(sql, epoch)
    return await ledgerOf(sql, epoch)
  } finally {
    await worker.stop()
    await sql.end()
    await database.drop()
  }
}

import type { Pool } from 'pg'
import { epochsOf, runOf } from '../../test/bookkeeper.js'
import { executionOf, FailingBooks, FEE_ADDRESS } from '../../test/failing-books.js'
import { ModelChain } from '../../test/model-chain.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { EarningsRepository } from './earnings.repository.js'
import { EpochsService } from './epochs.service.js'
import { AlreadyBooked, LedgerRepository } from './ledger.repository.js'

const ETH = 1_000_000_000n
const CREATED = new Date('2026-11-01T04:00:00Z')
// Some in one chunk, some in others.
const SERIALS = [1, 2, 999, 1000, 5001]
const EPOCHS = 20

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let pool: Pool

beforeEach(async () => {
  schema = await rewardsSchema()
  pool = schema.pool
})
afterEach(() => schema.drop())

describe(EpochsService, () => {
  it.each([1, 2, 3, 4])('books what the chain did to each validator on each day, to the gwei (%i)', async (seed) => {
    const model = await lived(seed)
    await bookAll(model)
    for (const serial of SERIALS) expect(await daysOf(serial)).toEqual(happenedTo(model, serial))
  })

  it('books the balance changes if no node reports rewards', async () => {
    const model = await lived(5)
    for (const epoch of [3, 4, 9, 10, 15]) model.pruned.add(epoch)
    await bookAll(model)
    for (const serial of SERIALS) {
      const net = (days: Awaited<ReturnType<typeof daysOf>>) => days.map(({ rewards, penalties }) => rewards - penalties)
      expect(net(await daysOf(serial))).toEqual(net(happenedTo(model, serial)))
    }
    const { rows } = await pool.query('SELECT sum(unbroken_epochs)::int AS epochs FROM reward_day')
    // Two of the five came later.
    expect(rows[0].epochs).toBe(5 * 3 + 3 * 2)
  })

  it('waits for a node that has reported rewards before, but not indefinitely', async () => {
    const model = await lived(9)
    const epochs = epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma))
    const run = await runOf(pool, model.chains())
    while (await epochs.bookNext(run));
    const unbroken = async () => (await pool.query('SELECT sum(unbroken_epochs)::int AS epochs FROM reward_day')).rows[0].epochs
    model.pruned.add(EPOCHS)
    model.advance()
    expect(await epochs.bookNext(run)).toBe(false)
    model.pruned.delete(EPOCHS)
    expect([await epochs.bookNext(run), await unbroken()]).toEqual([true, 0])
    model.pruned.add(EPOCHS + 1)
    for (let more = 0; more < 3; more++) model.advance()
    expect(await epochs.bookNext(run)).toBe(false)
    model.advance()
    expect([await epochs.bookNext(run), await unbroken()]).toEqual([true, SERIALS.length])
    await run.lease.release()
  })

  it('writes the same ledger after failures before a commit, and after commits whose response was lost', async () => {
    const model = await lived(6)
    await bookAll(model)
    const undisturbed = await dump()
    await schema.drop()
    schema = await rewardsSchema()
    pool = schema.pool
    await insertAll()
    await bookAll(model, new FailingBooks(pool, schema.prisma, randomOf(7)))
    expect(await dump()).toEqual(undisturbed)
  })

  it('books an epoch once even if two processes believe that they hold the lease', async () => {
    const model = await lived(8)
    const runs = [await runOf(pool, model.chains(), 'one'), await runOf(pool, model.chains(), 'other')]
    const workers = runs.map((run) => ({ run, epochs: epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma)) }))
    let refusals = 0
    const workThrough = async ({ run, epochs }: (typeof workers)[number]) => {
      for (;;) {
        const more = await epochs.bookNext(run).catch((error) => {
          // The slower of two is refused by the cursor, or by the key of the row that is there already.
          if (!(error instanceof AlreadyBooked) && error.code !== '23505') throw error
          refusals += 1
          return true
        })
        if (!more) return
      }
    }
    await Promise.all(workers.map(workThrough))
    for (const { lease } of runs) await lease.release()
    expect(refusals).toBeGreaterThan(0)
    for (const serial of SERIALS) expect(await daysOf(serial)).toEqual(happenedTo(model, serial))
    const { rows } = await pool.query(
      'SELECT count(*)::int AS chunks, count(DISTINCT epoch)::int AS epochs FROM epoch_chunk WHERE piece = 0',
    )
    expect(rows[0].chunks).toBe(rows[0].epochs)
  })

  it('commits nothing for a process whose lease another one has acquired', async () => {
    const model = await lived(9)
    const run = await runOf(pool, model.chains(), 'one')
    await epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma)).bookNext(run)
    const before = await dump()
    await pool.query("UPDATE lease SET epoch = epoch + 1 WHERE name = 'one'")
    await expect(epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma)).bookNext({ ...run })).rejects.toMatchObject({
      name: 'LeaseLost',
    })
    expect(await dump()).toEqual(before)
  })

  it('seals a day when its last epoch is booked, and not earlier', async () => {
    const model = await lived(10)
    const sealed = () =>
      pool.query('SELECT DISTINCT day::text FROM validator_day ORDER BY day').then(({ rows }) => rows.map(({ day }) => day))
    model.finalized = 10
    await bookAll(model)
    expect(await sealed()).toEqual(['2026-11-01'])
    model.finalized = 11
    await bookAll(model)
    expect(await sealed()).toEqual(['2026-11-01', '2026-11-02'])
  })

  it('never changes the ledger, and deletes only the epochs of sealed days', async () => {
    const model = await lived(11)
    await bookAll(model)
    await expect(pool.query('UPDATE validator_day SET slashed = true')).rejects.toThrow('never changed')
    await expect(pool.query('DELETE FROM validator_day')).rejects.toThrow('never changed')
    await expect(pool.query('UPDATE epoch_chunk SET rewards_gwei = NULL')).rejects.toThrow('never changed')
    await expect(pool.query("DELETE FROM epoch_chunk WHERE day = '2026-11-04'")).rejects.toThrow('not sealed')
    await new LedgerRepository(pool, schema.prisma).removeEpochs('dev', '2026-11-02')
    const { rows } = await pool.query('SELECT min(day)::text AS day FROM epoch_chunk')
    expect(rows[0].day).toBe('2026-11-02')
  })

  it('books no reward for principal that a consolidation moved', async () => {
    const model = await lived(12, (chain, epoch) => {
      if (epoch === 8) chain.consolidate(0, 1)
    })
    await bookAll(model)
    for (const serial of SERIALS) expect(await daysOf(serial)).toEqual(happenedTo(model, serial))
    const { rows } = await pool.query("SELECT min(deposits_gwei) AS least FROM reward_day WHERE day = '2026-11-02'")
    expect((await pool.query('SELECT serial, consolidated_into FROM validator WHERE consolidated_into > 0')).rows).toEqual([
      { serial: 1, consolidated_into: 1 },
    ])
    // 32 ETH left, and two top-ups arrived.
    expect(BigInt(rows[0].least)).toBe(-32n * ETH + 1_234_567_891n + ETH)
  })

  it('books apart what moved and nobody shows, and bills none of it', async () => {
    const model = await lived(12, (chain, epoch) => {
      if (epoch === 8) chain.move(0, 1, 16n * ETH)
    })
    await bookAll(model)
    for (const serial of SERIALS) expect(await daysOf(serial)).toEqual(happenedTo(model, serial))
    const { rows } = await pool.query('SELECT unexplained_gwei FROM validator WHERE unexplained_gwei <> 0 ORDER BY 1')
    expect(rows).toEqual([-16n * ETH, 16n * ETH].map((gwei) => ({ unexplained_gwei: String(gwei) })))
  })

  it('bills none of it without a breakdown either', async () => {
    const model = await lived(12, (chain, epoch) => {
      if (epoch === 8) chain.move(0, 1, 16n * ETH)
    })
    model.pruned.add(8)
    await bookAll(model)
    for (const serial of SERIALS.slice(0, 2)) {
      const [booked, happened] = [await daysOf(serial), happenedTo(model, serial)].map(
        (days) => days.find(({ day }) => day === '2026-11-02')!,
      )
      expect(booked!.rewards).toBeLessThanOrEqual(happened!.rewards)
      expect(booked!.penalties).toBeLessThanOrEqual(happened!.penalties)
      expect(booked!.deposits).toBe(happened!.deposits)
    }
  })

  it('skips to the head of a chain without validators of ours', async () => {
    const model = new ModelChain(randomOf(13))
    for (let i = 0; i < 9; i++) model.advance()
    await bookAll(model)
    expect(await new LedgerRepository(pool, schema.prisma).findCursor('dev')).toMatchObject({ nextEpoch: 9, openDay: '2026-11-02' })
  })

  it("books nothing for a key that someone else's deposit has bound", async () => {
    const model = new ModelChain(randomOf(14))
    await insert(1)
    model.deposit(pubkeyOf(1), Buffer.alloc(32, 1))
    for (let i = 0; i < 6; i++) model.advance()
    await bookAll(model)
    expect(await daysOf(1)).toEqual([])
  })

  it("books the fees of a block for the address that was set then, and a builder's payment that the block shows", async () => {
    const recipients = [FEE_ADDRESS, Buffer.alloc(20, 0xbb), Buffer.alloc(20, 0xcc)]
    const model = await lived(15, undefined, (slot) => recipients[slot % 3]!)
    await pool.query('UPDATE validator SET fee_address = $1', [Buffer.alloc(20, 0xdd)])
    await bookAll(model, undefined, model.chains(executionOf(recipients[1]!)))
    const { rows } = await pool.query('SELECT slot, state, amount_wei FROM execution_reward ORDER BY slot')
    const expected = [
      { state: 'fees', amount_wei: '2100011' },
      { state: 'payment', amount_wei: '1234567890123456789' },
      { state: 'unverified', amount_wei: '0' },
    ]
    expect(rows.length).toBeGreaterThan(10)
    for (const { slot, ...row } of rows) expect(row).toEqual(expected[slot % 3])
    const total = rows.reduce((sum, { amount_wei }) => sum + BigInt(amount_wei), 0n)
    const earned = await new EarningsRepository(pool, schema.prisma).list(
      SERIALS.map((serial) => ({ serial, from: '2026-11-01', to: '2026-11-30' })),
    )
    expect([...earned.values()].reduce((sum, { executionRewardsWei }) => sum + executionRewardsWei, 0n)).toBe(total)
  })
})

/** A life of some days: five validators of ours and three of others, deposits, top-ups, a slashing. */
async function lived(seed: number, extra?: (model: ModelChain, epoch: number) => void, feeRecipient?: (slot: number) => Buffer) {
  const random = randomOf(seed)
  const model = new ModelChain(random, feeRecipient)
  await insertAll()
  for (const serial of SERIALS.slice(0, 3)) model.deposit(pubkeyOf(serial), credentialsOf(serial), (32n + BigInt(serial % 2)) * ETH)
  for (const other of [101, 102, 103]) model.deposit(pubkeyOf(other), credentialsOf(other))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    if (epoch === 5) model.deposit(pubkeyOf(1), credentialsOf(1), 1_234_567_891n)
    if (epoch === 6) for (const serial of SERIALS.slice(3)) model.deposit(pubkeyOf(serial), credentialsOf(serial))
    if (epoch === 7) model.deposit(pubkeyOf(1), credentialsOf(1), ETH)
    if (epoch === 11) model.slash(2)
    extra?.(model, epoch)
    model.advance()
  }
  return model
}

async function insertAll(): Promise<void> {
  for (const serial of SERIALS) await insert(serial)
}

function insert(serial: number): Promise<void> {
  const userId = `user-${serial % 2}`
  return insertValidator(pool, {
    ...{ serial, userId, createdAt: CREATED, feeAddress: FEE_ADDRESS },
    pubkey: pubkeyOf(serial),
    withdrawalCredentials: credentialsOf(serial),
  })
}

async function bookAll(model: ModelChain, books = new LedgerRepository(pool, schema.prisma), chains = model.chains()): Promise<void> {
  const epochs = epochsOf(chains, books)
  const run = await runOf(pool, chains)
  for (let more = true; more; ) more = await epochs.bookNext(run).catch(() => true)
  await run.lease.release()
}

async function daysOf(serial: number) {
  const { rows } = await pool.query(
    `SELECT day::text, withdrawals_gwei, deposits_gwei, rewards_gwei, penalties_gwei, rounding_gwei, stake_eth_epochs, active_epochs, unexplained_gwei
       FROM reward_day WHERE serial = $1 ORDER BY day`,
    [serial],
  )
  const days = rows.map((row) => ({
    day: row.day as string,
    withdrawals: BigInt(row.withdrawals_gwei),
    deposits: BigInt(row.deposits_gwei),
    rewards: BigInt(row.rewards_gwei),
    penalties: BigInt(row.penalties_gwei),
    rounding: BigInt(row.rounding_gwei),
    stake: BigInt(row.stake_eth_epochs),
    active: row.active_epochs as number,
    unexplained: BigInt(row.unexplained_gwei),
  }))
  // A balance that only waits to be paid out has days too.
  return days.filter(({ day: _, ...sums }) => Object.values(sums).some((sum) => sum !== 0n && sum !== 0))
}

function happenedTo(model: ModelChain, serial: number) {
  const account = model.accounts.find(({ pubkey }) => pubkey.equals(pubkeyOf(serial)))!
  const days = [...model.happened.keys()].filter((key) => key.startsWith(`${account.index} `)).map((key) => key.split(' ')[1]!)
  return days.toSorted().map((day) => ({ day, rounding: 0n, ...model.on(account.index, day) }))
}

async function dump(): Promise<unknown> {
  const tables = ['reward_cursor', 'epoch_chunk', 'day_so_far', 'validator_day', 'chain_day', 'execution_reward']
  const rows = await Promise.all(tables.map((table) => pool.query(`SELECT * FROM ${table} ORDER BY 1, 2`).then((result) => result.rows)))
  return Object.fromEntries(tables.map((table, i) => [table, rows[i]]))
}

function pubkeyOf(serial: number): Buffer {
  return Buffer.alloc(48, `pubkey of ${serial} `)
}

function credentialsOf(serial: number): Buffer {
  return Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, serial % 251)])
}

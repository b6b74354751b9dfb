import { ValidatorDay } from '@trestle/contracts/staking/performance'
import { eventually } from '@trestle/testing/eventually'
import { BillingReport, type StakingUnderTest, startStakingUnderTest, untilBooked } from './staking-under-test.js'

// What twenty validators of three people in two organizations have earned, held against the chain's own states and balances, to the wei.

const GWEI = 1_000_000_000n
const DEPOSIT_GWEI = 32n * GWEI
const BASIS_POINTS = 800n
const ACME = { id: 'org-00000000-0000-4000-8000-00000000000a', name: '=Acme, "Ltd"' }
const OTHER = { id: 'org-00000000-0000-4000-8000-00000000000b', name: 'Other' }

interface Kept {
  readonly pubkey: string
  readonly depositData: string
  readonly fees: string
  readonly user: ReturnType<StakingUnderTest['user']>
}

let staking: StakingUnderTest
let users: readonly ReturnType<StakingUnderTest['user']>[]
let kept: Kept[]
/** The first slot whose state is not in the ledger's last epoch any more. */
let end: number

beforeAll(async () => {
  staking = await startStakingUnderTest({ FEE_BASIS_POINTS: String(BASIS_POINTS) })
  users = [staking.user(ACME, 'billing'), staking.user(ACME, 'member'), staking.user(OTHER, 'auditor')]
  kept = []
  for (let i = 0; i < 20; i++) kept.push(await create(users[i % 3]!, i))
  for (const { user, pubkey, depositData } of kept) {
    await eventually(async () => (await shown(user, pubkey)).phase === 'ready' || undefined, 'ready')
    await staking.deposit(depositData, 0)
  }
  await until(({ status }) => status === 'active')
  const [, offline, slashed, leaving] = kept as [Kept, Kept, Kept, Kept]
  await staking.dev('offline', { pubkeys: [`0x${offline.pubkey}`], offline: true })
  await live(4)
  await staking.dev('slash', { pubkey: `0x${slashed.pubkey}` })
  await leaving.user('POST', `/dev/validators/${leaving.pubkey}/validatorExit`)
  await live(10)
  const { finalizedEpoch } = (await staking.dev('status')) as { finalizedEpoch: number }
  await untilBooked(staking.sql, finalizedEpoch)
  end = finalizedEpoch * 8
}, 180_000)
afterAll(() => staking.stop())

describe('the billing report', () => {
  it('agrees with the chain about every validator', async () => {
    const [acme, other] = await Promise.all([billing(users[0]!), billing(users[2]!)])
    expect(acme.map(({ user }) => user).sort()).toEqual([users[0]!.userId, users[1]!.userId].sort())
    expect(other.map(({ user }) => user)).toEqual([users[2]!.userId])
    const active = [...acme, ...other].flatMap(({ validatorsPerChain }) => validatorsPerChain.flatMap((chain) => chain.validatorsActive))
    expect(active).toHaveLength(20)
    const [balances, withdrawn] = await Promise.all([balancesAt(end), withdrawnUpTo(end)])
    for (const { pubkey, fees } of kept) {
      const bill = active.find((each) => each.pubkey === pubkey)!
      const { index, balanceGwei, slashed } = balances.get(pubkey)!
      const netGwei = balanceGwei + (withdrawn.get(index) ?? 0n) - DEPOSIT_GWEI
      expect(BigInt(bill.consensusRewards) - BigInt(bill.consensusPenalties)).toBe(netGwei * GWEI)
      expect(bill.executionRewards).toBe(String(await paidTo(fees)))
      expect([bill.slashed, bill.balance]).toEqual([slashed, String(balanceGwei * GWEI)])
      const earned = BigInt(bill.rewards) - BigInt(bill.penalties)
      expect(earned).toBe(netGwei * GWEI + BigInt(bill.executionRewards) - BigInt(bill.executionPenalties))
      const charged = earned > 0n ? (earned * BASIS_POINTS) / 10_000n : 0n
      expect([bill.fees, bill.rewardsAfterFees]).toEqual([String(charged), String(earned - charged)])
    }
    const [, offline, slashed] = kept as [Kept, Kept, Kept]
    expect(BigInt(active.find(({ pubkey }) => pubkey === offline.pubkey)!.penalties)).toBeGreaterThan(0n)
    expect(BigInt(active.find(({ pubkey }) => pubkey === slashed.pubkey)!.penalties)).toBeGreaterThan((GWEI * GWEI) / 1000n)
    expect(active.reduce((sum, { executionRewards }) => sum + BigInt(executionRewards), 0n)).toBeGreaterThan(0n)
  })

  it('is the same as CSV, with its columns in order, and safe for a spreadsheet', async () => {
    const { text, headers } = await report(users[0]!, 'text/csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header, ...lines] = text.trimEnd().split('\r\n')
    expect(header).toBe(
      'activeDays,balance,chain,consensusPenalties,consensusRewards,createdAt,effectiveBalance,executionPenalties,executionRewards,fees,organization,' +
        'organizationName,penalties,pubkey,reportFrom,reportTo,rewards,rewardsAfterFees,runningDays,slashed,user,userEmail,userName',
    )
    expect(lines).toHaveLength(kept.filter(({ user }) => user !== users[2]).length)
    for (const line of lines) expect(line).toContain(`"'=Acme, ""Ltd"""`)
    const total = (await billing(users[0]!))
      .flatMap(({ validatorsPerChain }) => validatorsPerChain)
      .reduce((sum, { rewards }) => sum + BigInt(rewards), 0n)
    expect(lines.reduce((sum, line) => sum + BigInt(line.replace(/"(?:[^"]|"")*"/, '').split(',')[16]!), 0n)).toBe(total)
    expect((await report(users[0]!, 'text/csv')).text).toBe(text)
  })

  it('requires a role in an organization, a supported type and a valid range', async () => {
    expect((await report(users[1]!, 'application/json')).status).toBe(403)
    expect((await report(staking.user(), 'application/json')).status).toBe(403)
    expect((await report(users[0]!, 'text/html')).status).toBe(406)
    for (const dates of [
      '',
      'fromDate=2026-01-02&toDate=2026-01-01',
      'fromDate=2026-02-30&toDate=2026-03-01',
      'fromDate=2026-2-3&toDate=2026-03-01',
      'fromDate=2020-01-01&toDate=2026-01-01',
    ])
      expect([dates, (await users[0]!('GET', `/billing/report?${dates}`)).status]).toEqual([dates, 400])
  })
})

describe('one validator', () => {
  it('has the performance that the report shows, in percent too', async () => {
    const [first] = kept as [Kept]
    const { body } = await first.user(
      'GET',
      `/dev/validators/${first.pubkey}/performance?${range()}`.replace('fromDate', 'from').replace('toDate', 'to'),
    )
    const [entry] = (await billing(users[0]!)).filter(({ user }) => user === first.user.userId)
    const bill = entry!.validatorsPerChain[0]!.validatorsActive.find(({ pubkey }) => pubkey === first.pubkey)!
    const { consensusRewards, consensusPenalties, executionRewards, balance } = body
    expect({ consensusRewards, consensusPenalties, executionRewards, balance }).toEqual({
      consensusRewards: bill.consensusRewards,
      consensusPenalties: bill.consensusPenalties,
      executionRewards: bill.executionRewards,
      balance: expect.any(String),
    })
    expect(body.apr).toBeCloseTo(body.consensusApr + body.executionApr, 3)
    expect(body.consensusApr).toBeGreaterThan(0)
  })

  it('has the days that the report sums up, with missed duties', async () => {
    const [steady, offline] = kept as [Kept, Kept]
    const daysOf = async ({ user, pubkey }: Kept) => {
      const { status, body } = await user('GET', `/dev/validators/${pubkey}/performance/days?${range().replaceAll(/(from|to)Date/g, '$1')}`)
      expect(status).toBe(200)
      return ValidatorDay.array().parse(body)
    }
    const balances = await balancesAt(end)
    for (const each of [steady, offline]) {
      const days = await daysOf(each)
      let balance = 0n
      for (const day of days) {
        balance += BigInt(day.deposits) - BigInt(day.withdrawals) + BigInt(day.consensusRewards) - BigInt(day.consensusPenalties)
        expect([day.date, day.balance]).toEqual([day.date, String(balance)])
      }
      expect(balance).toBe(balances.get(each.pubkey)!.balanceGwei * GWEI)
    }
    const missed = (days: readonly ValidatorDay[]) => days.reduce((sum, { missedAttestations }) => sum + (missedAttestations ?? 0), 0)
    expect(missed(await daysOf(steady))).toBe(0)
    expect(missed(await daysOf(offline))).toBeGreaterThan(5)
  })

  it('has a performance of zero before it is active', async () => {
    const newcomer = await create(users[2]!, 99)
    const { body } = await newcomer.user('GET', `/dev/validators/${newcomer.pubkey}/performance`)
    expect(body).toMatchObject({ apr: 0, consensusApr: 0, executionApr: 0, balance: '0', effectiveBalance: '0', consensusRewards: '0' })
    expect((await newcomer.user('GET', `/dev/validators/${newcomer.pubkey}/performance/days`)).body).toEqual([])
    for (const path of ['performance', 'performance/days'])
      expect((await newcomer.user('GET', `/dev/validators/${newcomer.pubkey}/${path}?from=2026-02-02&to=2026-02-01`)).status).toBe(400)
  })
})

it('the validators report has a line for each validator of its owner, and only a header if there is none', async () => {
  const { text, headers } = await users[2]!('GET', '/validators/report')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const own = kept.filter(({ user }) => user === users[2])
  expect(text.split('\r\n')[0]).toBe(
    'chain,pubkey,region,status,balance,effectiveBalance,feeAddress,withdrawalAddress,startedAt,activatedAt,exitedAt,rewards,apr',
  )
  for (const { pubkey } of own) expect(text).toContain(`dev,${pubkey},`)
  expect((await staking.user()('GET', '/validators/report')).text.trimEnd().split('\r\n')).toHaveLength(1)
})

async function create(user: Kept['user'], i: number): Promise<Kept> {
  const fees = `0x${(0xfee0000 + i).toString(16).padStart(40, '0')}`
  const withdrawalAddress = `0x${(0xadd0000 + i).toString(16).padStart(40, '0')}`
  const { body } = await user('POST', '/dev/validators', { withdrawalAddress, feeAddress: fees, region: i % 2 ? 'eu' : 'us' })
  return { ...body, fees, user }
}

async function shown(user: Kept['user'], pubkey: string) {
  return (await user('GET', `/dev/validators/${pubkey}`)).body
}

async function until(isSo: (validator: { status: string }) => boolean): Promise<void> {
  for (let epochs = 0; epochs < 60; epochs++) {
    const all = await Promise.all(kept.map(({ user, pubkey }) => shown(user, pubkey)))
    if (all.every(isSo)) return
    await staking.advance({ epochs: 1 })
    await staking.observed()
  }
  throw new Error('It does not come to that.')
}

/** Blocks with transactions that pay for being in them. */
async function live(epochs: number): Promise<void> {
  const [from, to] = await staking.anvil.rpc.call<string[]>('eth_accounts')
  for (let slot = 0; slot < epochs * 8; slot++) {
    await staking.anvil.rpc.call('eth_sendTransaction', {
      from,
      to,
      value: '0x1',
      maxPriorityFeePerGas: '0x77359401',
      maxFeePerGas: '0x174876e800',
    })
    await staking.advance({ slots: 1 })
  }
}

function range(): string {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  return `fromDate=${day(-1)}&toDate=${day(1)}`
}

function report(user: Kept['user'], accept: string) {
  return user('GET', `/billing/report?${range()}`, undefined, { accept })
}

async function billing(user: Kept['user']): Promise<BillingReport> {
  return BillingReport.parse((await report(user, 'application/json')).body)
}

async function beacon<T>(path: string): Promise<T | undefined> {
  const answer = await fetch(`${staking.beacon.url}/eth${path}`)
  return answer.status === 404 ? undefined : ((await answer.json()) as { data: T }).data
}

async function balancesAt(slot: number) {
  type Listed = { index: string; balance: string; validator: { pubkey: string; slashed: boolean } }
  const all = (await beacon<Listed[]>(`/v1/beacon/states/${slot}/validators`)) ?? []
  return new Map(
    all.map(({ index, balance, validator: { pubkey, slashed } }) => [pubkey.slice(2), { index, balanceGwei: BigInt(balance), slashed }]),
  )
}

async function payload(slot: number) {
  type Block = {
    message: { body: { execution_payload: { block_number: string; withdrawals: { validator_index: string; amount: string }[] } } }
  }
  return (await beacon<Block>(`/v2/beacon/blocks/${slot}`))?.message.body.execution_payload
}

/** By the chain's number of the validator, in gwei. */
async function withdrawnUpTo(last: number): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>()
  for (let slot = 1; slot <= last; slot++)
    for (const { validator_index, amount } of (await payload(slot))?.withdrawals ?? [])
      sums.set(validator_index, (sums.get(validator_index) ?? 0n) + BigInt(amount))
  return sums
}

/** In wei, by the execution chain's own account of it. */
async function paidTo(address: string): Promise<bigint> {
  const { block_number = '0' } = (await payload(end)) ?? (await payload(end - 1)) ?? {}
  return BigInt(await staking.anvil.rpc.call<string>('eth_getBalance', address, `0x${Number(block_number).toString(16)}`))
}

import { problem, StubPlatform } from '../../test/stub-platform.js'

const KEY = '8f'.repeat(48)
const TIME = '2026-11-21T12:00:00.000Z'
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const VALIDATOR = {
  id: `eth:${KEY}`,
  chain: 'eth',
  pubkey: KEY,
  region: 'eu',
  balance: '32000000001000000000',
  effectiveBalance: '32000000000000000000',
  status: 'active',
  phase: 'active',
  note: null,
  slashed: false,
  index: 7,
  feeAddress: ADDRESS,
  withdrawalAddress: ADDRESS,
  compounding: true,
  startedAt: TIME,
  readyAt: TIME,
  depositedAt: null,
  activatedAt: null,
  exitRequestedAt: null,
  exitingAt: null,
  exitedAt: null,
  withdrawnAt: null,
  depositData: null,
  asOf: TIME,
  user: 'user-00000000-0000-4000-8000-000000000003',
  organization: 'org-00000000-0000-4000-8000-000000000003',
}
const PERFORMANCE = {
  pubkey: KEY,
  from: '2026-11-01',
  to: '2026-11-02',
  chain: 'eth',
  apr: 3.1,
  consensusApr: 2.9,
  executionApr: 0.2,
  balance: '32000000000000000000',
  effectiveBalance: '32000000000000000000',
  consensusRewards: '1',
  consensusPenalties: '0',
  executionRewards: '-1000000000000000000',
  executionPenalties: '0',
}
const ONE = `/staking/ethereum/eth/validators/${KEY}`

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())
beforeEach(() => platform.on('GET /staking/ethereum/chains', { body: ['eth'] }))

describe('the chain', () => {
  it.each([
    [['eth', 'hoodi'], 'There are several chains.', 'Choose one: --chain eth, or --chain hoodi'],
    [[], 'No staking chain is configured here.', ''],
  ])('of %j has to be named', async (chains, text, advice) => {
    platform.on('GET /staking/ethereum/chains', { body: chains })
    const { exit, stderr, requests } = await platform.run('validators list')
    expect([exit, stderr, requests]).toEqual([2, `trestle: ${text}\n${advice && `${advice}\n`}`, ['GET /staking/ethereum/chains']])
  })

  it('is not requested if it is named', async () => {
    platform.on('GET /staking/ethereum/hoodi/validators', { body: [] })
    const { stderr, requests } = await platform.run('validators list --chain hoodi')
    expect(requests).toEqual(['GET /staking/ethereum/hoodi/validators'])
    expect(stderr).toContain('No validators. Create one:')
  })
})

describe('trestle validators', () => {
  it('requires a withdrawal address before any request', async () => {
    expect(await platform.run('validators create')).toMatchObject({
      exit: 2,
      requests: [],
      stderr: expect.stringContaining('--withdrawal-address'),
    })
  })

  it('creates a validator with the options that are given, and shows the deposit', async () => {
    platform.on('POST /staking/ethereum/eth/validators', { status: 201, body: { ...VALIDATOR, depositData: '0x2289' } })
    const { stdout, requests } = await platform.run(`validators create --withdrawal-address ${ADDRESS} --compounding`)
    expect(requests.at(-1)).toBe(`POST /staking/ethereum/eth/validators {"withdrawalAddress":"${ADDRESS}","compounding":true}`)
    expect(stdout).toMatch(/^deposit data +0x2289$/m)
  })

  it.each([`0x${KEY}`, `0X${KEY.toUpperCase()}`, ` ${KEY} `])('finds a validator by the key as typed: "%s"', async (typed) => {
    platform.on(`GET ${ONE}`, { body: VALIDATOR })
    const { exit, stdout } = await platform.run(`validators info '${typed}'`)
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^balance +32\.000000001 ETH \(32000000001000000000 wei\)$/m)])
    expect(stdout).not.toMatch(/^(note|exited|deposit data)/m)
  })

  it('shows a slashed validator as slashed, whatever its phase', async () => {
    platform.on('GET /staking/ethereum/eth/validators', { body: [{ ...VALIDATOR, slashed: true, phase: 'exiting' }] })
    expect((await platform.run('validators list')).stdout).toMatch(new RegExp(`^${KEY}  slashed `, 'm'))
  })

  it('shows a negative amount, and the smallest one, exactly', async () => {
    platform.on(`GET ${ONE}/performance`, { body: PERFORMANCE })
    const { stdout, requests } = await platform.run(`validators performance ${KEY} --from 2026-11-01 --to 2026-11-02`)
    expect(requests.at(-1)).toBe(`GET ${ONE}/performance?from=2026-11-01&to=2026-11-02`)
    expect(stdout).toContain('0.000000000000000001 ETH (1 wei)')
    expect(stdout).toContain('-1 ETH (-1000000000000000000 wei)')
  })

  it.each(['yesterday', '2026-02-29', '2026-11-31', '2026-13-01', '2026-1-1', '20261101', '2026-11-01T00:00'])(
    'refuses the day %s before any request',
    async (day) => {
      for (const line of [`validators performance ${KEY} --to ${day}`, `billing report --to 2026-11-01 --from ${day}`])
        expect(await platform.run(line)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining(`cannot be "${day}".`) })
    },
  )

  it('prints the report as the platform sends it, in every format', async () => {
    const csv = 'pubkey,balance\r\n"a ""b""",1'
    platform.on('GET /staking/ethereum/validators/report', { body: csv })
    for (const format of ['table', 'json', 'yaml'])
      expect(await platform.run(`validators report -o ${format}`)).toMatchObject({ exit: 0, stdout: `${csv}\n` })
  })
})

describe('trestle validators exit', () => {
  const exits = (requests: readonly string[]) => requests.filter((request) => request.startsWith('POST'))

  it.each([
    ['without a terminal', '', `pass --confirm ${KEY}`],
    ['with another key', `--confirm ${'8e'.repeat(48)}`, 'Nothing was done.'],
    ['with the beginning of the key', `--confirm ${KEY.slice(0, 12)}`, 'Nothing was done.'],
    ['with --yes', '--yes', 'has no option --yes.'],
  ])('does nothing %s', async (_, option, text) => {
    platform.on(`GET ${ONE}`, { body: VALIDATOR })
    const { exit, stderr, requests } = await platform.run(`validators exit ${KEY} ${option}`)
    expect([exit, stderr, exits(requests)]).toEqual([2, expect.stringContaining(text), []])
  })

  it('exits after the key is typed again, and names the address that is paid', async () => {
    platform.on(`GET ${ONE}`, { body: VALIDATOR }).on(`POST ${ONE}/validatorExit`, { status: 202 })
    const { exit, stdout, stderr, requests } = await platform.run(`validators exit ${KEY} --confirm 0x${KEY}`)
    expect([exit, stdout, exits(requests).length]).toEqual([0, '', 1])
    expect(stderr).toContain(`paid to ${ADDRESS}.`)
  })
})

describe('trestle validators rm', () => {
  it('asks before it removes a validator', async () => {
    platform.on(`DELETE ${ONE}`, { status: 204 })
    expect(await platform.run(`validators rm ${KEY}`)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('--yes') })
    expect(await platform.run(`validators rm ${KEY} --yes`)).toMatchObject({
      exit: 0,
      stderr: '8f8f8f8f8f8f... is removed from the list.\n',
    })
  })
})

describe('trestle billing report', () => {
  const line = 'billing report --from 2026-11-01 --to 2026-11-30'
  const amounts = Object.fromEntries(
    ['consensusPenalties', 'consensusRewards', 'executionPenalties', 'executionRewards', 'fees', 'penalties', 'rewards'].map((name) => [
      name,
      '0',
    ]),
  )
  const onEth = {
    ...amounts,
    chain: 'eth',
    rewards: '3000000000000000000',
    penalties: '1',
    rewardsAfterFees: '2999999999999999999',
    totalActiveValidators: 2,
    totalCurrentValidators: 2,
    totalInactiveValidators: 0,
    totalWeightedValidators: 2,
    validatorsActive: [],
    validatorsInactive: [],
  }
  const entry = {
    organization: 'org',
    organizationName: 'Engines',
    reportFrom: '2026-11-01',
    reportTo: '2026-11-30',
    user: 'user',
    userName: 'Ada',
    userEmail: 'ada\u001b[31m@example.org',
    validatorsPerChain: [onEth],
  }

  it.each(['billing report', 'billing report --from 2026-11-01', 'billing report --to 2026-11-30'])('"%s" lacks a day', async (given) => {
    expect(await platform.run(given)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('requires --from and --to') })
  })

  it('has a row for each user and chain, with exact amounts and nothing that a terminal would execute', async () => {
    platform.on('GET /staking/ethereum/billing/report', { body: [entry, { ...entry, validatorsPerChain: [] }] })
    const { stdout, requests } = await platform.run(line)
    expect(requests).toEqual(['GET /staking/ethereum/billing/report?fromDate=2026-11-01&toDate=2026-11-30'])
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stdout).toMatch(/\ufffd\[31m@example\.org +eth +2 +3 ETH +0\.000000000000000001 ETH +0 ETH +2\.999999999999999999 ETH$/m)
  })

  it('says which role it takes', async () => {
    platform.on('GET /staking/ethereum/billing/report', problem(403, 'MissingRole', 'This requires the role auditor or billing.'))
    expect(await platform.run(line)).toMatchObject({ exit: 4, stderr: expect.stringContaining('trestle orgs roles') })
  })
})

describe('trestle validators restore', () => {
  it('takes a removed validator back, which list --deleted shows', async () => {
    platform.on('GET /staking/ethereum/eth/validators', { body: [VALIDATOR] })
    platform.on(`POST ${ONE}/restore`, { status: 204 })
    const { requests } = await platform.run('validators list --deleted')
    expect(requests.at(-1)).toBe('GET /staking/ethereum/eth/validators?deleted=true')
    expect(await platform.run(`validators restore ${KEY}`)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('is back in the list'),
    })
  })
})

describe('trestle validators transfer', () => {
  it('gives a validator to another organization, after a confirmation', async () => {
    const organization = 'org-00000000-0000-4000-8000-000000000009'
    platform.on(`PUT ${ONE}/organization`, { body: { ...VALIDATOR, organization } })
    const command = `validators transfer ${KEY} ${organization}`
    expect(await platform.run(command)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('--yes') })
    const { exit, requests, stdout } = await platform.run(`${command} --yes`)
    expect([exit, requests.at(-1)]).toEqual([0, `PUT ${ONE}/organization ${JSON.stringify({ organization })}`])
    expect(stdout).toContain(KEY)
  })
})

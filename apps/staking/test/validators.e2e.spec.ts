import { readFileSync } from 'node:fs'
import { isValidDeposit, parseDepositCall } from '@trestle/ethereum/deposit'
import { parseHex } from '@trestle/ethereum/hex'
import { networkOf } from '@trestle/ethereum/network'
import { eventually } from '@trestle/testing/eventually'
import { callStaking, type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const ADDRESS = '0x0f51bb10119727a7e5ea3538074fb341f56b09ad'
const CHECKSUMMED = '0x0f51bb10119727a7e5eA3538074fb341F56B09Ad'
const VALIDATORS = '/dev/validators'

let staking: StakingUnderTest
let owner: ReturnType<StakingUnderTest['user']>
beforeAll(async () => {
  staking = await startStakingUnderTest({ MAX_VALIDATORS: '30', BIN_HOURS: '0' })
})
afterAll(() => staking.stop())
beforeEach(() => {
  owner = staking.user()
})

it.each(['/', '/staking', '/staking/'])('returns the version of the service at %s', async (path) => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const answer = await fetch(staking.service.url + path)
  expect(await answer.json()).toEqual({ name: 'staking', version, docs: '/staking/docs' })
})

describe('access', () => {
  it.each([
    ['GET', '/chains'],
    ['GET', VALIDATORS],
    ['POST', VALIDATORS],
    ['GET', '/billing/report'],
  ])('%s %s is refused without a token', async (method, path) => {
    const answer = await callStaking(staking.service, { method, path })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
  })

  it('is 403 Forbidden with an expired token', async () => {
    const now = Math.floor(Date.now() / 1000)
    const token = staking.accounts.issuer.account({ payload: { iat: now - 90_000, exp: now - 3600 } })
    const { status, body } = await callStaking(staking.service, {
      method: 'GET',
      path: '/chains',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([status, body.title, body.detail]).toEqual([403, 'Forbidden', expect.stringMatching(/expired/)])
  })

  it('is open to clients, except for the billing report', async () => {
    const headers = { authorization: `Bearer ${staking.accounts.issuer.client()}` }
    expect((await callStaking(staking.service, { method: 'GET', path: VALIDATORS, headers })).status).toBe(200)
    const path = '/billing/report?fromDate=2026-01-01&toDate=2026-01-02'
    expect((await callStaking(staking.service, { method: 'GET', path, headers })).status).toBe(401)
  })
})

describe('chains and regions', () => {
  it('are listed', async () => {
    expect((await owner('GET', '/chains')).body).toEqual(['dev'])
    expect((await owner('GET', '/regions')).body).toEqual(['eu', 'us'])
  })

  it.each(['mainnetx', 'DEV', 'mainnet', 'x'.repeat(1000)])('do not include %s', async (chain) => {
    const { status, body } = await owner('GET', `/${chain}/validators`)
    expect([status, body.code, body.detail]).toEqual([404, 'UnknownChain', 'This chain is not served here; the chains are: dev.'])
  })
})

describe('a new validator', () => {
  it('comes with a deposit that is signed for this chain and pays the owner', async () => {
    const { status, body } = await owner('POST', VALIDATORS, { withdrawalAddress: CHECKSUMMED })
    expect(status).toBe(200)
    expect(body).toEqual({
      balance: '0',
      chain: 'dev',
      pubkey: expect.stringMatching(/^[0-9a-f]{96}$/),
      region: 'eu',
      status: 'pending',
      depositData: expect.stringMatching(/^0x22895118[0-9a-f]+$/),
    })
    const deposit = parseDepositCall(parseHex(body.depositData), 32_000_000_000n)
    expect(deposit.pubkey.toString('hex')).toBe(body.pubkey)
    expect(deposit.withdrawalCredentials.toString('hex')).toBe(`01${'00'.repeat(11)}${ADDRESS.slice(2)}`)
    expect([isValidDeposit(deposit, networkOf('dev')), isValidDeposit(deposit, networkOf('mainnet'))]).toEqual([true, false])
  })

  it('is listed and shown to its owner, with and without 0x, and to no one else', async () => {
    const { pubkey } = await create({ region: 'us', feeAddress: `0x${'ab'.repeat(20)}` })
    const shown = {
      id: `dev:${pubkey}`,
      pubkey,
      region: 'us',
      user: owner.userId,
      withdrawalAddress: CHECKSUMMED,
      feeAddress: expect.stringMatching(/^0x[abAB]{40}$/),
      startedAt: expect.any(String),
    }
    for (const path of [pubkey, `0x${pubkey.toUpperCase()}`]) {
      expect((await owner('GET', `${VALIDATORS}/${path}`)).body).toMatchObject(shown)
    }
    expect((await owner('GET', VALIDATORS)).body).toMatchObject([shown])
    const stranger = staking.user()
    expect((await stranger('GET', VALIDATORS)).body).toEqual([])
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { feeAddress: ADDRESS }],
      ['DELETE', ''],
      ['GET', '/performance'],
      ['GET', '/performance/days'],
      ['POST', '/validatorExit'],
    ] as const) {
      const answer = await stranger(method, `${VALIDATORS}/${pubkey}${path}`, body)
      expect([method, path, answer.status, answer.body?.code]).toEqual([method, path, 404, 'UnknownValidator'])
    }
    expect((await owner('GET', `${VALIDATORS}/${pubkey}`)).body.exitRequestedAt).toBeNull()
  })

  it('is compounding on request', async () => {
    const { pubkey, depositData } = await create({ compounding: true })
    expect(parseDepositCall(parseHex(depositData), 32_000_000_000n).withdrawalCredentials[0]).toBe(2)
    expect((await owner('GET', `${VALIDATORS}/${pubkey}`)).body.compounding).toBe(true)
  })

  it.each([
    ['nothing', {}],
    ['a wrong checksum', { withdrawalAddress: CHECKSUMMED.replace('F56B', 'f56B') }],
    ['the zero address', { withdrawalAddress: `0x${'00'.repeat(20)}` }],
    ['the deposit contract', { withdrawalAddress: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }],
    ['19 bytes', { withdrawalAddress: ADDRESS.slice(0, -2) }],
    ['21 bytes', { withdrawalAddress: `${ADDRESS}00` }],
    ['a name', { withdrawalAddress: 'vitalik.eth' }],
    ['0X', { withdrawalAddress: ADDRESS.replace('0x', '0X') }],
    ['spaces', { withdrawalAddress: ` ${ADDRESS}` }],
    ['BLS credentials', { withdrawalAddress: `0x00${'ab'.repeat(31)}` }],
    ['a number', { withdrawalAddress: 7 }],
    ['null', { withdrawalAddress: null }],
    ['a list', { withdrawalAddress: [ADDRESS] }],
    ['a wrong fee address', { withdrawalAddress: ADDRESS, feeAddress: '0x12' }],
    ['an unknown region', { withdrawalAddress: ADDRESS, region: 'mars' }],
  ])('is refused for %s', async (_, body) => {
    const { status } = await owner('POST', VALIDATORS, body)
    expect(status).toBe(400)
    expect((await owner('GET', VALIDATORS)).body).toEqual([])
  })

  it.each(['pubkey', 'user', 'status', 'balance', 'compoundingx', 'withdrawaladdress'])('is refused with the member %s', async (name) => {
    const answer = await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS, [name]: '1' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(answer.body.errors).toMatchObject([{ path: `body.${name}`, message: expect.stringContaining(`unknown member "${name}"; `) }])
    expect((await owner('GET', VALIDATORS)).body).toEqual([])
  })

  it('has its own key, however many are created at once, up to the limit', async () => {
    const create = () => owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS })
    const answers = await Promise.all(Array.from({ length: 100 }, create))
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.pubkey)
    expect([made.length, new Set(made).size]).toEqual([30, 30])
    expect(answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code])).toEqual(
      Array(70).fill([409, 'LimitExceeded']),
    )
    expect(await keysOf(owner.userId)).toBe(30)
  })

  it('is created once per Idempotency-Key, however often the request is sent', async () => {
    const headers = { 'idempotency-key': 'order-1' }
    const same = await Promise.all(Array.from({ length: 8 }, () => owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS }, headers)))
    expect(new Set(same.map(({ text }) => text)).size).toBe(1)
    expect((await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS, region: 'us' }, headers)).body.code).toBe('IdempotencyKeyReused')
    expect((await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS }, { 'idempotency-key': 'a b' })).status).toBe(400)
    expect(await keysOf(owner.userId)).toBe(1)
    expect((await staking.user()('POST', VALIDATORS, { withdrawalAddress: ADDRESS }, headers)).body.pubkey).not.toBe(same[0]?.body.pubkey)
  })
})

describe('its fee address', () => {
  it('is set in its validator client before the response', async () => {
    const { pubkey } = await ready(await create())
    for (const fee of ['0x'.padEnd(42, '1'), '0x'.padEnd(42, '2')]) {
      expect((await owner('PUT', `${VALIDATORS}/${pubkey}`, { feeAddress: fee })).status).toBe(204)
      expect(await feeRecipient('eu', pubkey)).toBe(fee)
    }
  })

  it('and its exit are reported for a mail to the owner, once for each change', async () => {
    const { pubkey } = await ready(await create())
    const feeAddress = '0x'.padEnd(42, '3')
    for (let time = 0; time < 2; time++) expect((await owner('PUT', `${VALIDATORS}/${pubkey}`, { feeAddress })).status).toBe(204)
    for (let time = 0; time < 2; time++) await owner('POST', `${VALIDATORS}/${pubkey}/validatorExit`)
    const { rows } = await staking.sql.query(
      "SELECT payload->>'change' AS change FROM outbox WHERE subject = 'staking.validator-update.requested' AND payload->>'pubkey' = $1 ORDER BY seq",
      [pubkey.replace(/^0x/, '')],
    )
    expect(rows.map(({ change }) => change)).toEqual(['fee-address', 'exit'])
  })

  it('is in the security log when it changes, and so is an exit that is refused', async () => {
    const { pubkey } = await ready(await create())
    await owner('PUT', `${VALIDATORS}/${pubkey}`, { feeAddress: `0x${'44'.repeat(20)}` })
    await owner('POST', `${VALIDATORS}/${pubkey}/validatorExit`, { confirmationDate: 'never' })
    const events = await eventually(async () => {
      const own = staking.accounts.securityEvents.filter(({ user }) => user === owner.userId)
      return own.length > 1 ? own : undefined
    }, 'the acts are in the log')
    const target = { chain: 'dev', pubkey }
    expect(events).toMatchObject([
      { kind: 'fee-recipient-changed', outcome: 'success', service: 'staking', target, clientAddress: '127.0.0.1' },
      { kind: 'exit-requested', outcome: 'failure', status: 400, code: expect.any(String), target },
    ])
  })

  it('stays unchanged if its validator client does not answer', async () => {
    const { pubkey } = await ready(await create())
    await staking.dev('down', { server: 'eu', down: true })
    const { status, body } = await owner('PUT', `${VALIDATORS}/${pubkey}`, { feeAddress: `0x${'33'.repeat(20)}` })
    await staking.dev('down', { server: 'eu', down: false })
    expect([status, body.code]).toEqual([503, 'SignerUnavailable'])
    expect((await owner('GET', `${VALIDATORS}/${pubkey}`)).body.feeAddress).toBe(CHECKSUMMED)
    await eventually(async () => (await feeRecipient('eu', pubkey)) === ADDRESS || undefined, 'what was half done is taken back')
  })

  it.each([
    undefined,
    {},
    { feeAddress: '0x12' },
    { feeAddress: CHECKSUMMED.toUpperCase().replace('0X', '0x').replace('F51B', 'F51b') },
    '{"feeAddress":',
  ])('cannot be %j', async (body) => {
    const { pubkey } = await create()
    expect((await owner('PUT', `${VALIDATORS}/${pubkey}`, body)).status).toBe(400)
  })
})

describe('removal', () => {
  it('deletes the key of a validator without a deposit from its validator client', async () => {
    const { pubkey } = await ready(await create())
    expect((await owner('DELETE', `${VALIDATORS}/${pubkey}`)).status).toBe(204)
    expect((await owner('DELETE', `${VALIDATORS}/${pubkey}`)).status).toBe(404)
    expect((await owner('GET', VALIDATORS)).body).toEqual([])
    await eventually(async () => !(await keysHeld('eu')).includes(`0x${pubkey}`) || undefined, 'the key is given back')
    const text = 'SELECT 1 FROM validator JOIN signing_history USING (pubkey) WHERE pubkey = $1 AND released_at IS NOT NULL'
    const kept = async () => (await staking.sql.query(text, [Buffer.from(pubkey, 'hex')])).rowCount
    await eventually(async () => (await kept()) === 1 || undefined, 'what it had signed is kept')
  })
})

describe('an invalid public key', () => {
  it.each([
    ['a', 400],
    ['ab'.repeat(47), 400],
    ['ab'.repeat(49), 400],
    ['zz'.repeat(48), 400],
    ['ab'.repeat(48), 404],
  ])('has no validator %s', async (pubkey, status) => {
    expect((await owner('GET', `${VALIDATORS}/${pubkey}`)).status).toBe(status)
  })
})

async function create(more: object = {}): Promise<{ pubkey: string; depositData: string }> {
  const { status, body } = await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS, ...more })
  expect(status).toBe(200)
  return body
}

async function ready<V extends { pubkey: string }>(validator: V): Promise<V> {
  await eventually(
    async () => (await owner('GET', `${VALIDATORS}/${validator.pubkey}`)).body.phase === 'ready' || undefined,
    'its validator client has it',
  )
  return validator
}

async function keysOf(userId: string): Promise<number> {
  const { rows } = await staking.sql.query(
    'SELECT count(*)::int AS keys FROM validator JOIN validator_key USING (pubkey) WHERE user_id = $1',
    [userId],
  )
  return rows[0].keys
}

async function keysHeld(region: string): Promise<string[]> {
  const { keys } = (await staking.dev('status')) as { keys: Record<string, string[]> }
  return keys[region] ?? []
}

async function feeRecipient(region: string, pubkey: string): Promise<string> {
  const manager = staking.beacon.keymanagers.find(({ name }) => name === region)
  const headers = { authorization: `Bearer ${readFileSync(manager?.tokenFile ?? '', 'utf8').trim()}` }
  const { data } = (await (await fetch(`${manager?.url}/eth/v1/validator/0x${pubkey}/feerecipient`, { headers })).json()) as {
    data: { ethaddress: string }
  }
  return data.ethaddress.toLowerCase()
}

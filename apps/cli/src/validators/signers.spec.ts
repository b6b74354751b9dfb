import { StubPlatform } from '../../test/stub-platform.js'

const KEY = 'ab'.repeat(48)
const SINCE = '2026-11-21T12:00:00.000Z'
const BOUND = {
  ...{ chain: 'eth', region: 'us', state: 'bound', identity: 'token:aa', boundAt: SINCE, acceptedBy: null, other: null, away: null },
  ...{ keys: 2, unknownKeys: 0 },
}
const MOVED = { ...BOUND, region: 'eu', state: 'other', other: { identity: 'token:bb', reason: 'identity', since: SINCE }, unknownKeys: 1 }

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle signers', () => {
  it('lists what answers for each region', async () => {
    platform.on('GET /staking/ethereum/signers', { body: [BOUND, MOVED] })
    const { exit, stdout } = await platform.run('signers list')
    expect(exit).toBe(0)
    expect(stdout).toMatch(/eth +us +bound +2 +0 +token:aa/)
    expect(stdout).toMatch(/eth +eu +other +2 +1 +token:aa +another signer answers: token:bb/)
  })

  it('accepts what answers, by its identity and after a confirmation', async () => {
    platform.on('GET /staking/ethereum/signers', { body: [BOUND, MOVED] })
    platform.on('POST /staking/ethereum/signers/eth/eu/accept', { status: 204 })
    expect(await platform.run('signers accept eth eu')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    const { exit, requests } = await platform.run('signers accept eth eu --yes')
    expect([exit, requests.at(-1)]).toEqual([0, 'POST /staking/ethereum/signers/eth/eu/accept {"identity":"token:bb"}'])
    expect(await platform.run('signers accept eth us --yes')).toMatchObject({ exit: 2, stderr: expect.stringContaining('No other signer') })
  })
})

describe('trestle lost-keys', () => {
  it('lists keys that signers lost', async () => {
    const key = { chain: 'eth', pubkey: KEY, region: 'eu', organization: 'org-1', status: 'active_ongoing', lostAt: SINCE, silentEpochs: 2 }
    platform.on('GET /staking/ethereum/lost-keys', { body: [{ ...key, allowedAt: null, note: null }] })
    expect((await platform.run('lost-keys list')).stdout).toMatch(new RegExp(`${KEY} +eth +eu +active_ongoing +1d ago +2 +no`))
  })

  it('allows the import of one, after a confirmation', async () => {
    platform.on(`POST /staking/ethereum/lost-keys/${KEY}/recover`, { status: 204 })
    expect(await platform.run(`lost-keys recover ${KEY}`)).toMatchObject({
      exit: 2,
      requests: [],
      stderr: expect.stringContaining('--yes'),
    })
    const { exit, requests } = await platform.run(`lost-keys recover 0x${KEY} --yes`)
    expect([exit, requests.at(-1)]).toEqual([0, `POST /staking/ethereum/lost-keys/${KEY}/recover`])
  })
})

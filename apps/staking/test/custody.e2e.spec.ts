import { readFileSync } from 'node:fs'
import { eventually } from '@trestle/testing/eventually'
import { callStaking, type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const ADDRESS = `0x${'a1'.repeat(20)}`
const VALIDATORS = '/dev/validators'

let staking: StakingUnderTest
let owner: ReturnType<StakingUnderTest['user']>
beforeAll(async () => {
  staking = await startStakingUnderTest()
  owner = staking.user()
})
afterAll(() => staking.stop())

describe('a validator that was deleted and whose key was given back', () => {
  it('gets its key again when it is paid for, and its owner can exit and restore it', async () => {
    const { body } = await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS })
    const one = `${VALIDATORS}/${body.pubkey}`
    await eventually(async () => (await owner('GET', one)).body.phase === 'ready' || undefined, 'it is ready')
    expect((await owner('DELETE', one)).status).toBe(204)
    // The time in the bin is over.
    await staking.sql.query("UPDATE validator SET restorable_until = now() - interval '1 hour' WHERE pubkey = $1", [
      Buffer.from(body.pubkey, 'hex'),
    ])
    await eventually(async () => !(await isHeld(body.pubkey)) || undefined, 'the key is given back')
    expect((await owner('POST', `${one}/validatorExit`)).status).toBe(404)
    await staking.deposit(body.depositData)
    await eventually(async () => (await isHeld(body.pubkey)) || undefined, 'the key is back')
    expect((await owner('POST', `${one}/validatorExit`)).status).toBe(204)
    expect((await staking.user()('POST', `${one}/validatorExit`)).status).toBe(404)
    expect((await owner('POST', `${one}/restore`)).status).toBe(204)
    const shown = await eventually(async () => {
      const { body: now } = await owner('GET', one)
      return now.readyAt ? now : undefined
    }, 'its signer has it')
    expect(shown.exitRequestedAt).toEqual(expect.any(String))
  })
})

describe('a signer that lost its keys', () => {
  it('gets them back only by acts of an administrator, which the security log has', async () => {
    const { body } = await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS, region: 'us' })
    const one = `${VALIDATORS}/${body.pubkey}`
    await eventually(async () => (await owner('GET', one)).body.phase === 'ready' || undefined, 'it is ready')
    await loseKeys('us')
    const signer = await eventually(async () => (await asAdministrator('GET', '/signers')).body.find(isOther), 'another signer is noticed')
    expect(signer).toMatchObject({ region: 'us', state: 'other', other: { reason: 'keys' } })
    await eventually(
      async () => (await owner('GET', one)).body.note.includes('until an administrator accepts it') || undefined,
      'it says so',
    )
    const accept = '/signers/dev/us/accept'
    expect((await owner('POST', accept, { identity: signer.other.identity })).status).toBe(403)
    expect((await asAdministrator('POST', accept, { identity: 'token:other' })).body.code).toBe('UnknownSigner')
    expect((await asAdministrator('POST', accept, { identity: signer.other.identity })).status).toBe(204)
    const lost = await eventually(async () => (await asAdministrator('GET', '/lost-keys')).body[0], 'the key is listed as lost')
    expect(lost).toMatchObject({ pubkey: body.pubkey, region: 'us', allowedAt: null })
    expect(await isHeld(body.pubkey)).toBe(false)
    expect((await owner('POST', `/lost-keys/${body.pubkey}/recover`)).status).toBe(403)
    expect((await asAdministrator('POST', `/lost-keys/${'ab'.repeat(48)}/recover`)).body.code).toBe('UnknownLostKey')
    expect((await asAdministrator('POST', `/lost-keys/${body.pubkey}/recover`)).status).toBe(204)
    await eventually(async () => (await isHeld(body.pubkey)) || undefined, 'the key is back')
    await eventually(async () => (await asAdministrator('GET', '/lost-keys')).body.length === 0 || undefined, 'no key is lost')
    const acts = await eventually(async () => {
      const found = staking.accounts.securityEvents.filter(({ kind, outcome }) => kind === 'administrator-act' && outcome === 'success')
      return found.length > 1 ? found : undefined
    }, 'the acts are in the log')
    expect(acts).toMatchObject([{ target: { chain: 'dev', region: 'us' } }, { target: { pubkey: body.pubkey } }])
  })
})

function isOther({ state }: { state: string }): boolean {
  return state === 'other'
}

function asAdministrator(method: string, path: string, body?: unknown) {
  const token = staking.accounts.issuer.account({ payload: { aud: ['staking', 'manager'] } })
  return callStaking(staking.service, { method, path, body, headers: { authorization: `Bearer ${token}` } })
}

async function isHeld(pubkey: string): Promise<boolean> {
  const { keys } = (await staking.dev('status')) as { keys: Record<string, string[]> }
  return Object.values(keys).some((held) => held.includes(`0x${pubkey}`))
}

async function loseKeys(region: string): Promise<void> {
  const { url, tokenFile } = staking.beacon.keymanagers.find(({ name }) => name === region)!
  const { keys } = (await staking.dev('status')) as { keys: Record<string, string[]> }
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`, 'content-type': 'application/json' }
  await fetch(`${url}/eth/v1/keystores`, { method: 'DELETE', headers, body: JSON.stringify({ pubkeys: keys[region] }) })
}

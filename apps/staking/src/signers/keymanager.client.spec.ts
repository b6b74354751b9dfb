import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networkOf } from '@trestle/ethereum/network'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { FakeUpstream, NONSENSE } from '../../test/fake-upstream.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import type { SignerClient } from './signer.js'
import { SignersService } from './signers.service.js'

const PUBKEY = Buffer.alloc(48, 1)
const HEX = `0x${PUBKEY.toString('hex')}`
const ADDRESS = Buffer.alloc(20, 0xab)
const KEY = { pubkey: PUBKEY, keystore: '{"version":4}', password: 'secret password', slashingProtection: '{"data":[]}' }
const KEYSTORES = '/eth/v1/keystores'
const FEE = `/eth/v1/validator/${HEX}/feerecipient`
const EXIT = `POST /eth/v1/validator/${HEX}/voluntary_exit`
const MESSAGE = { epoch: 5n, validatorIndex: 9n }
const NOTHING_LISTED = { body: { data: [] } }
const LISTED = { body: { data: [{ validating_pubkey: HEX, derivation_path: '', readonly: false }] } }

let dir: string
let tokenFile: string
let fake: FakeUpstream
let lifecycle: Lifecycle
let signer: SignerClient

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'keymanager-'))
  tokenFile = join(dir, 'token')
  writeFileSync(tokenFile, 'first\n')
  fake = await FakeUpstream.start({ [`GET ${KEYSTORES}`]: NOTHING_LISTED })
  lifecycle = new Lifecycle(createLogger('test', 'silent'))
  const regions = [{ name: 'eu', signer: { kind: 'keymanager' as const, url: fake.url, tokenFile } }]
  const CHAINS = [{ name: 'dev' as const, beacons: [], archives: [], executions: [], regions }]
  signer = new SignersService({ CHAINS }, lifecycle).of('dev', 'eu')
})

afterEach(async () => {
  await lifecycle.run('close')
  await fake.stop()
  rmSync(dir, { recursive: true })
})

describe('the token of a keymanager', () => {
  it('is read from its file, and again after the client was set up again', async () => {
    const withToken =
      (token: string) =>
      ({ authorization }: { authorization?: string }) =>
        authorization === `Bearer ${token}` ? LISTED : { status: 401 }
    fake.answers[`GET ${KEYSTORES}`] = withToken('first')
    expect(await signer.list()).toEqual([PUBKEY])
    writeFileSync(tokenFile, 'second')
    fake.answers[`GET ${KEYSTORES}`] = withToken('second')
    expect(await signer.list()).toEqual([PUBKEY])
  })

  it('is never shown, not even when it is refused or cannot be read', async () => {
    fake.answers[`GET ${KEYSTORES}`] = { status: 403, body: 'Bearer first' }
    await expect(signer.list()).rejects.toThrow(new UpstreamUnavailable('The signer of eu refuses our token.'))
    rmSync(tokenFile)
    await expect(signer.list()).rejects.toThrow('The token file of The signer of eu cannot be read: ENOENT.')
  })
})

describe('a keymanager', () => {
  it.each(NONSENSE)('is unavailable for every call if it answers with %s', async (_, takeOver) => {
    fake.takeOver = takeOver
    const calls = [() => signer.list(), () => signer.import(KEY), () => signer.remove(PUBKEY), () => signer.feeRecipient(PUBKEY)]
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(UpstreamUnavailable)
  })

  it.each(['imported', 'duplicate'])('holds a key that it reports as %s', async (status) => {
    fake.answers[`POST ${KEYSTORES}`] = { body: { data: [{ status }] } }
    await signer.import(KEY)
    expect(JSON.parse(fake.asked.at(-1)!.body)).toEqual({
      keystores: [KEY.keystore],
      passwords: [KEY.password],
      slashing_protection: KEY.slashingProtection,
    })
  })

  it('does not hold a key that it failed to import, and the error does not contain the password', async () => {
    fake.answers[`POST ${KEYSTORES}`] = { body: { data: [{ status: 'error', message: 'bad keystore' }] } }
    await expect(signer.import(KEY)).rejects.toThrow(/^The signer of eu did not import the key: bad keystore$/)
    fake.answers[`POST ${KEYSTORES}`] = { body: { data: [] } }
    await expect(signer.import(KEY)).rejects.toBeInstanceOf(UpstreamUnavailable)
  })

  it.each(['deleted', 'not_active', 'not_found'])('has deleted a key that it reports as %s and no longer lists', async (status) => {
    const interchange = '{"metadata":{},"data":[]}'
    fake.answers[`DELETE ${KEYSTORES}`] = { body: { data: [{ status }], slashing_protection: interchange } }
    expect(await signer.remove(PUBKEY)).toBe(interchange)
    fake.answers[`DELETE ${KEYSTORES}`] = { body: { data: [{ status }], slashing_protection: JSON.parse(interchange) } }
    expect(await signer.remove(PUBKEY)).toBe(interchange)
  })

  it('has not deleted a key that it still lists, or whose history it does not return', async () => {
    fake.answers[`GET ${KEYSTORES}`] = LISTED
    fake.answers[`DELETE ${KEYSTORES}`] = { body: { data: [{ status: 'deleted' }], slashing_protection: '{}' } }
    await expect(signer.remove(PUBKEY)).rejects.toThrow('a key that it still lists')
    fake.answers[`DELETE ${KEYSTORES}`] = { body: { data: [{ status: 'deleted' }] } }
    await expect(signer.remove(PUBKEY)).rejects.toThrow('slashing_protection')
  })

  it('has no fee address for an unknown key, or before one is set', async () => {
    expect(await signer.feeRecipient(PUBKEY)).toBeUndefined()
    fake.answers[`GET ${FEE}`] = { status: 500, body: { message: 'no fee recipient set' } }
    expect(await signer.feeRecipient(PUBKEY)).toBeUndefined()
    fake.answers[`GET ${FEE}`] = { body: { data: { pubkey: HEX, ethaddress: `0x${ADDRESS.toString('hex')}` } } }
    expect(await signer.feeRecipient(PUBKEY)).toEqual(ADDRESS)
  })

  it('does not have a fee address that it rejected', async () => {
    fake.answers[`POST ${FEE}`] = { status: 500, body: { message: 'bad address' } }
    await expect(signer.setFeeRecipient(PUBKEY, ADDRESS)).rejects.toThrow('The signer of eu rejected the fee address: bad address')
    fake.answers[`POST ${FEE}`] = { status: 202, body: '' }
    await signer.setFeeRecipient(PUBKEY, ADDRESS)
    expect(JSON.parse(fake.asked.at(-1)!.body)).toEqual({ ethaddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) })
  })

  it('signs an exit, or reports that it cannot', async () => {
    const network = networkOf('dev')
    expect(await signer.signExit(PUBKEY, MESSAGE, network)).toBeUndefined()
    const signature = `0x${'22'.repeat(96)}`
    fake.answers[EXIT] = { body: { data: { message: { epoch: '5', validator_index: '9' }, signature } } }
    expect(await signer.signExit(PUBKEY, MESSAGE, network)).toEqual({ message: MESSAGE, signature: Buffer.alloc(96, 0x22) })
    expect(fake.asked.at(-1)!.path).toMatch(/\?epoch=5$/)
    fake.answers[EXIT] = { body: { data: { message: { epoch: '5' }, signature } } }
    await expect(signer.signExit(PUBKEY, MESSAGE, network)).rejects.toBeInstanceOf(UpstreamUnavailable)
  })
})

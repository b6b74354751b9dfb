import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GeneratedKey } from '../src/keys/key-generator.engine.js'
import { KeymanagerClient } from '../src/signers/keymanager.client.js'
import { CREDENTIALS, ReconcilerHarness } from './reconciler-harness.js'

const ADMIN = { userId: 'user-admin', at: new Date() }
const EU = { chain: 'dev', region: 'eu' }

let harness: ReconcilerHarness
let configured: ReconcilerHarness['signers']['of']
let spare: KeymanagerClient
let key: GeneratedKey

beforeAll(async () => {
  harness = await ReconcilerHarness.open(['eu', 'us', 'spare'])
  configured = harness.signers.of.bind(harness.signers)
  const { url, tokenFile } = harness.beacon.keymanagers.find(({ name }) => name === 'spare')!
  spare = new KeymanagerClient({ kind: 'keymanager', url, tokenFile }, 'The signer of eu')
  key = await harness.create()
  await harness.pass()
  await harness.deposit(key.depositCall)
  await harness.until(key, 'active_ongoing')
})
afterAll(async () => {
  await spare.close()
  await harness.close()
})

describe('a region whose URL leads to another signer', () => {
  it('gets no key there, old or new, and says so', async () => {
    move(spare)
    const fresh = await harness.create()
    await harness.pass()
    expect(await spare.list()).toEqual([])
    for (const each of [key, fresh])
      expect(await harness.row(each)).toMatchObject({ signer_problem: expect.stringContaining('Another signer answers for its region') })
    expect(await harness.regionSigner('eu')).toMatchObject({ other: { identity: await spare.identity(), reason: 'identity' } })
    expect(await harness.alarms()).toMatchObject({ 'other-signer': expect.any(Number), 'lost-by-signer': 1 })
  })

  it('goes on by itself when its own signer answers again', async () => {
    harness.signers.of = configured
    await harness.pass()
    expect(await harness.regionSigner('eu')).toMatchObject({ other: undefined })
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null, lost_at: null })
    move(spare)
    await harness.pass()
  })

  it('is bound to what an administrator has seen, to nothing else', async () => {
    expect(await harness.regionSigners.accept(EU, 'token:of-a-third', ADMIN)).toBe(false)
    expect(await harness.regionSigners.accept(EU, await spare.identity(), ADMIN)).toBe(true)
    const fresh = await harness.create()
    await harness.pass()
    expect(await spare.list()).toContainEqual(fresh.pubkey)
    expect(await harness.row(key)).toMatchObject({ lost_at: expect.any(Date), signer_problem: expect.stringContaining('an administrator') })
  })

  it('does not get a key that its former signer goes on signing with, whatever an administrator allowed', async () => {
    await harness.allowRecovery(key)
    for (let epochs = 0; epochs < 6; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    expect(await spare.list()).not.toContainEqual(key.pubkey)
    expect(await harness.row(key)).toMatchObject({ signer_problem: expect.stringContaining('three epochs'), slashed: false })
    expect(await harness.alarms()).toMatchObject({ 'signed-elsewhere': expect.any(Number) })
  })

  it('gets it once that is gone, the chain was silent and an administrator allowed it', async () => {
    await configured('dev', 'eu').bindTo(undefined)
    await configured('dev', 'eu').remove(key.pubkey)
    for (let epochs = 0; epochs < 4; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    expect(await spare.list()).toContainEqual(key.pubkey)
    await harness.dev('advance', { epochs: 5 })
    await harness.pass()
    expect(await harness.signs(key)).toBe(true)
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), lost_at: null, slashed: false, signer_problem: null })
    expect(await harness.doubleSigners()).toEqual([])
  })
})

describe('a signer', () => {
  it('that accepts another token than before gets no keys until it is accepted', async () => {
    const { url } = harness.beacon.keymanagers.find(({ name }) => name === 'us')!
    const tokenFile = join(tmpdir(), `wrong-token-${process.pid}`)
    writeFileSync(tokenFile, 'another')
    const client = new KeymanagerClient({ kind: 'keymanager', url, tokenFile }, 'The signer of us')
    await client.bindTo(`token:${'0'.repeat(64)}`)
    await expect(client.remove(key.pubkey)).rejects.toThrow('not the one that was accepted')
    await client.close()
  })

  it('with keys that no validator has, as after a backup from before they were created, raises an alarm', async () => {
    const { network } = await harness.chains.get('dev')
    const foreign = await harness.keyGenerator.create({ withdrawalCredentials: CREDENTIALS, amountGwei: 32_000_000_000n, network })
    const metadata = { interchange_format_version: '5', genesis_validators_root: `0x${network.genesisValidatorsRoot.toString('hex')}` }
    const slashingProtection = JSON.stringify({ metadata, data: [] })
    await configured('dev', 'us').import({ ...foreign, password: harness.keyGenerator.passwordOf(foreign), slashingProtection })
    await harness.pass()
    expect(await harness.regionSigner('us')).toMatchObject({ unknownKeys: 1, other: undefined })
    expect(await harness.alarms()).toMatchObject({ 'unknown-keys': expect.any(Number) })
  })
})

function move(to: KeymanagerClient): void {
  harness.signers.of = (chain, region) => (region === 'eu' ? to : configured(chain, region))
}

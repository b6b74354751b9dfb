import { publicKeyOf } from '@trestle/ethereum/bls'
import { formatHex } from '@trestle/ethereum/hex'
import { formatKeystore } from '@trestle/ethereum/keystore'
import { encryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import { BeaconHarness, type ValidatorJson } from './beacon-harness.js'

interface Deleted {
  readonly data: readonly { readonly status: string }[]
  readonly slashing_protection: string
}

const OWNER = '0x00000000000000000000000000000000000a11ce'

let harness: BeaconHarness
beforeAll(async () => {
  harness = await BeaconHarness.open()
})
afterAll(() => harness.close())

describe('A keymanager of the dev beacon', () => {
  it('answers no request without its token', async () => {
    for (const authorization of [undefined, 'Bearer wrong']) {
      const headers = authorization === undefined ? undefined : { authorization }
      const answer = await fetch(`http://127.0.0.1:${harness.settings.keymanagers[0]?.port}/eth/v1/keystores`, { headers })
      expect(answer.status).toBe(401)
    }
  })

  it('imports a keystore once, whatever comes after, and says what is wrong with another', async () => {
    const key = Buffer.alloc(32, 11)
    expect(await harness.import('eu', key)).toEqual({ status: 200, body: { data: [{ status: 'imported' }] } })
    expect(await harness.import('eu', key)).toEqual({ status: 200, body: { data: [{ status: 'duplicate' }] } })
    const keystore = JSON.stringify(formatKeystore(await encryptKeystore(Buffer.alloc(32, 12), 'right', { iterations: 2 })))
    const answer = await harness.keymanager('eu', 'POST', '/eth/v1/keystores', { keystores: [keystore, '{}'], passwords: ['wrong', ''] })
    expect(answer).toMatchObject({
      status: 200,
      body: { data: [{ status: 'error', message: 'The password does not decrypt this keystore.' }, { status: 'error' }] },
    })
    expect(await harness.keymanager('eu', 'POST', '/eth/v1/keystores', { keystores: [keystore], passwords: [] })).toMatchObject({
      status: 400,
    })
    const pubkey = formatHex(publicKeyOf(key))
    expect(await harness.keymanager('eu', 'GET', '/eth/v1/keystores')).toEqual({
      status: 200,
      body: { data: [{ validating_pubkey: pubkey, derivation_path: '', readonly: false }] },
    })
    expect(await harness.keymanager('us', 'GET', '/eth/v1/keystores')).toMatchObject({ body: { data: [] } })
  })

  it('keeps a fee recipient for each key it has', async () => {
    const key = Buffer.alloc(32, 13)
    await harness.import('eu', key)
    const path = `/eth/v1/validator/${formatHex(publicKeyOf(key))}/feerecipient`
    const address = '0x00000000000000000000000000000000000000fc'
    const said = async () => (await harness.keymanager<{ data: { ethaddress: string } }>('eu', 'GET', path)).body.data.ethaddress
    const before = await said()
    expect(await harness.keymanager('eu', 'POST', path, { ethaddress: address })).toMatchObject({ status: 202 })
    expect(await said()).toBe(address)
    for (const wrong of ['0x12', `0x${'00'.repeat(20)}`])
      expect(await harness.keymanager('eu', 'POST', path, { ethaddress: wrong })).toMatchObject({ status: 400 })
    expect(await harness.keymanager('eu', 'DELETE', path)).toMatchObject({ status: 204 })
    expect(await said()).toBe(before)
    expect(await harness.keymanager('us', 'GET', path)).toMatchObject({ status: 404 })
  })

  it('signs while it has the key, and gives away with it what was signed', async () => {
    const { key, pubkey } = await harness.stake(14, OWNER)
    await harness.until(pubkey, 'active_ongoing')
    await harness.advance(2)
    expect(await lastTargetReward(pubkey)).toBeGreaterThan(0)
    const removed = await remove('eu', pubkey)
    expect(removed.data).toEqual([{ status: 'deleted' }])
    const protection = JSON.parse(removed.slashing_protection)
    expect(protection.data).toMatchObject([{ pubkey, signed_attestations: [{ target_epoch: expect.stringMatching(/^[0-9]+$/) }] }])
    await harness.advance(3)
    expect(await lastTargetReward(pubkey)).toBeLessThan(0)
    expect((await remove('eu', pubkey)).data).toEqual([{ status: 'not_active' }])
    expect((await remove('eu', formatHex(publicKeyOf(Buffer.alloc(32, 15))))).data).toEqual([{ status: 'not_found' }])

    expect(await harness.import('us', key, protection)).toMatchObject({ body: { data: [{ status: 'imported' }] } })
    await harness.advance(4)
    expect(await lastTargetReward(pubkey)).toBeGreaterThan(0)
  })

  it('signs nothing that the history it was given forbids, and takes none of another chain', async () => {
    const { pubkey } = await harness.stake(16, OWNER, [])
    await harness.until(pubkey, 'active_ongoing')
    const genesis = await harness.data<{ genesis_validators_root: string }>('/eth/v1/beacon/genesis')
    const { epoch } = (await harness.get<{ epoch: number }>('/dev/status')).body
    const target_epoch = String(epoch + 4)
    const data = [{ pubkey, signed_blocks: [], signed_attestations: [{ source_epoch: '0', target_epoch }] }]
    const metadata = { interchange_format_version: '5', genesis_validators_root: genesis.genesis_validators_root }
    const foreign = { metadata: { ...metadata, genesis_validators_root: `0x${'11'.repeat(32)}` }, data }
    expect(await harness.import('eu', Buffer.alloc(32, 16), foreign)).toMatchObject({ status: 400 })
    expect(await harness.keymanager('eu', 'GET', '/eth/v1/keystores')).not.toMatchObject({
      body: { data: expect.arrayContaining([{ validating_pubkey: pubkey, derivation_path: '', readonly: false }]) },
    })
    await harness.import('eu', Buffer.alloc(32, 16), { metadata, data })
    await harness.advance(4)
    expect(await lastTargetReward(pubkey)).toBeLessThan(0)
    await harness.advance(4)
    expect(await lastTargetReward(pubkey)).toBeGreaterThan(0)
  })

  it('is noticed when it has a key at the same time as another one', async () => {
    const key = Buffer.alloc(32, 17)
    const pubkey = formatHex(publicKeyOf(key))
    const noticed = async () =>
      (await harness.get<{ pubkey: string }[]>('/dev/double-signers')).body.filter((each) => each.pubkey === pubkey)
    await harness.import('eu', key)
    await harness.post('/dev/advance', { slots: 2 })
    expect(await noticed()).toEqual([])
    await harness.import('us', key)
    await harness.post('/dev/advance', { slots: 2 })
    await remove('eu', pubkey)
    await harness.post('/dev/advance', { slots: 2 })
    const { slot } = (await harness.get<{ slot: number }>('/dev/status')).body
    expect(await noticed()).toEqual([slot - 3, slot - 2].map((slot) => ({ slot, pubkey, keymanagers: ['eu', 'us'] })))
  })

  it('signs no exit of a validator that the chain does not know', async () => {
    await harness.import('us', Buffer.alloc(32, 18))
    const path = `/eth/v1/validator/${formatHex(publicKeyOf(Buffer.alloc(32, 18)))}/voluntary_exit`
    expect(await harness.keymanager('us', 'POST', path)).toMatchObject({ status: 404 })
  })

  it('fails on demand, without the others', async () => {
    await harness.post('/dev/down', { server: 'eu', down: true })
    await expect(harness.keymanager('eu', 'GET', '/eth/v1/keystores')).rejects.toThrow('fetch failed')
    expect(await harness.keymanager('us', 'GET', '/eth/v1/keystores')).toMatchObject({ status: 200 })
    await harness.post('/dev/down', { server: 'eu', down: false })
    expect(await harness.keymanager('eu', 'GET', '/eth/v1/keystores')).toMatchObject({ status: 200 })
  })

  async function remove(name: string, pubkey: string): Promise<Deleted> {
    return (await harness.keymanager<Deleted>(name, 'DELETE', '/eth/v1/keystores', { pubkeys: [pubkey] })).body
  }

  async function lastTargetReward(pubkey: string): Promise<number> {
    const { epoch } = (await harness.get<{ epoch: number }>('/dev/status')).body
    const { index } = await harness.data<ValidatorJson>(`/eth/v1/beacon/states/head/validators/${pubkey}`)
    const rewards = await harness.data<{ total_rewards: { target: string }[] }>(`/eth/v1/beacon/rewards/attestations/${epoch - 2}`, [index])
    return Number(rewards.total_rewards[0]?.target)
  }
})

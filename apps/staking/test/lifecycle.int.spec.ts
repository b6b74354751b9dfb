import { publicKeyOf, verify } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit } from '@trestle/ethereum/deposit'
import { formatHex } from '@trestle/ethereum/hex'
import { parseKeystore } from '@trestle/ethereum/keystore'
import { decryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import { exitSigningRoot } from '@trestle/ethereum/signing'
import { parseInterchange } from '@trestle/ethereum/slashing-protection'
import type { GeneratedKey } from '../src/keys/key-generator.engine.js'
import { ReconcilerHarness } from './reconciler-harness.js'

const OTHERS = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xbb)])

let harness: ReconcilerHarness
beforeAll(async () => {
  harness = await ReconcilerHarness.open()
})
afterAll(() => harness.close())

describe('the life of a validator', () => {
  let key: GeneratedKey

  it('begins in the signer of its region; it is ready once its fee address is there', async () => {
    key = await harness.create()
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null, deposited_at: null })
    expect([await harness.held('eu', key), await harness.held('us', key)]).toEqual([true, false])
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa1))
  })

  it('has its fee address set again if the signer lost it, or when it changes', async () => {
    await harness.signers.of('dev', 'eu').setFeeRecipient(key.pubkey, Buffer.alloc(20, 0xee))
    await harness.pass()
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa1))
    await harness.set(key, 'fee_address', Buffer.alloc(20, 0xa2))
    await harness.pass()
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa2))
    expect(await harness.row(key)).toMatchObject({ signer_fee_address: Buffer.alloc(20, 0xa2), signer_problem: null })
  })

  it('is deposited, queued and activated', async () => {
    await harness.deposit(key.depositCall)
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ deposited_at: expect.any(Date), beacon_status: null, spoiled_at: null })
    expect((await harness.until(key, 'active_ongoing')).slice(-2)).toEqual(['pending_queued', 'active_ongoing'])
    const row = await harness.row(key)
    const chain = await harness.chains.get('dev')
    expect(row).toMatchObject({ balance_gwei: expect.stringMatching(/^3[12]\d{9}$/), effective_balance_gwei: '32000000000' })
    expect(row.activated_at).toEqual(chain.epochTime(Number(row.activation_epoch)))
  })

  it('is imported again into a signer that lost it when the chain was silent and an administrator allowed it', async () => {
    const signer = harness.signers.of('dev', 'eu')
    const votes = parseInterchange(await signer.remove(key.pubkey), (await harness.chains.get('dev')).network.genesisValidatorsRoot)
    await harness.dev('down', { server: 'beacon', down: true })
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(false)
    // It was the only key: a signer without any of its keys is another one.
    expect(await harness.row(key)).toMatchObject({ ready_at: null, signer_problem: expect.stringContaining('Another signer answers') })
    expect(await harness.alarms()).toMatchObject({ 'lost-by-signer': 1, 'other-signer': 1 })
    await harness.dev('down', { server: 'beacon', down: false })
    const { identity } = (await harness.regionSigner('eu')).other!
    expect(await harness.regionSigners.accept({ chain: 'dev', region: 'eu' }, identity, { userId: 'admin-1', at: new Date() })).toBe(true)
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ lost_at: expect.any(Date), signer_problem: expect.stringContaining('an administrator') })
    await harness.allowRecovery(key)
    for (let epochs = 0; epochs < 3; epochs++) {
      expect(await harness.held('eu', key)).toBe(false)
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    await harness.dev('advance', { epochs: 1 })
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(true)
    expect(await harness.row(key)).toMatchObject({
      ready_at: expect.any(Date),
      signer_problem: null,
      lost_at: null,
      recovery_allowed_at: null,
    })
    const epoch = await harness.epoch()
    const { network } = await harness.chains.get('dev')
    const protection = parseInterchange(await harness.protectionOf('eu', key), network.genesisValidatorsRoot)
    const [before, after] = [votes, protection].map(({ histories }) => histories[0]?.attestations.at(-1)?.targetEpoch ?? 0n) as [
      bigint,
      bigint,
    ]
    expect(after).toBeGreaterThan(before)
    expect(after).toBeGreaterThanOrEqual(BigInt(epoch + 1))
  })

  it('exits on request when the chain allows it, with one exit that is stored before it is sent', async () => {
    await harness.set(key, 'exit_requested_at', new Date())
    expect(await harness.until(key, 'active_exiting')).toContain('active_exiting')
    const { rows } = await harness.pool.query('SELECT * FROM signed_exit')
    expect(rows).toMatchObject([{ pubkey: key.pubkey, sent_at: expect.any(Date) }])
    const [{ epoch, validator_index, signature }] = rows
    const { network } = await harness.chains.get('dev')
    const root = exitSigningRoot({ epoch: BigInt(epoch), validatorIndex: BigInt(validator_index) }, network)
    expect(verify(key.pubkey, root, signature)).toBe(true)
    expect(await harness.row(key)).toMatchObject({ exiting_at: expect.any(Date) })
  })

  it("is withdrawn, and only then its signer returns the key's history and deletes the key", async () => {
    await harness.until(key, 'withdrawal_done')
    expect(await harness.row(key)).toMatchObject({ withdrawn_at: expect.any(Date), exited_at: expect.any(Date), balance_gwei: '0' })
    for (let epochs = 0; epochs < 3; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    expect(await harness.row(key)).toMatchObject({ released_at: expect.any(Date), ready_at: null })
    expect(await harness.held('eu', key)).toBe(false)
    const { rows } = await harness.pool.query('SELECT * FROM signing_history WHERE pubkey = $1', [key.pubkey])
    const { network } = await harness.chains.get('dev')
    const [history] = parseInterchange(rows[0].interchange, network.genesisValidatorsRoot).histories
    expect(history).toMatchObject({ pubkey: key.pubkey, attestations: [expect.anything()] })
  })

  it('is deleted again if someone imports the key afterwards', async () => {
    const password = harness.keyGenerator.passwordOf(key)
    const { network } = await harness.chains.get('dev')
    const slashingProtection = JSON.stringify({
      metadata: { interchange_format_version: '5', genesis_validators_root: network.genesisValidatorsRoot.toString('hex') },
      data: [],
    })
    await harness.signers.of('dev', 'eu').import({ pubkey: key.pubkey, keystore: key.keystore, password, slashingProtection })
    // Of one that was paid out nothing is looked at any more, so it is one that still may be.
    await harness.set(key, 'withdrawn_at', null)
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(false)
    expect(await harness.alarms()).toMatchObject({ 'held-after-release': 1 })
  })

  it('never had two signers', async () => {
    expect(await harness.doubleSigners()).toEqual([])
  })

  function feeRecipient() {
    return harness.signers.of('dev', 'eu').feeRecipient(key.pubkey)
  }
})

describe('a key', () => {
  it('that its owner deleted is released when the chain shows that there is no deposit, not earlier', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.set(key, 'removed_at', new Date())
    await harness.dev('down', { server: 'beacon', down: true })
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(true)
    await harness.dev('down', { server: 'beacon', down: false })
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(false)
    expect(await harness.row(key)).toMatchObject({ released_at: expect.any(Date) })
    await harness.deposit(key.depositCall)
    await harness.pass()
    expect(await harness.alarms()).toMatchObject({ 'paid-after-release': 1 })
    expect(await harness.held('eu', key)).toBe(true)
    expect(await harness.row(key)).toMatchObject({ deposited_at: expect.any(Date), ready_at: expect.any(Date), released_at: null })
    await harness.until(key, 'active_ongoing')
    await harness.dev('advance', { epochs: 4 })
    await harness.pass()
    expect(await harness.signs(key)).toBe(true)
  })

  it('that its owner deleted after the deposit keeps signing, and exits even while its signer is away', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.set(key, 'removed_at', new Date())
    await harness.deposit(key.depositCall)
    await harness.pass()
    expect(await harness.held('eu', key)).toBe(true)
    expect(await harness.row(key)).toMatchObject({ deposited_at: expect.any(Date), released_at: null })
    await harness.until(key, 'active_ongoing')
    await harness.dev('down', { server: 'eu', down: true })
    await harness.set(key, 'exit_requested_at', new Date())
    await harness.until(key, 'active_exiting')
    await harness.dev('down', { server: 'eu', down: false })
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null, slashed: false })
  })

  it('that nobody signs with is noticed within two epochs, in words', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.deposit(key.depositCall)
    await harness.until(key, 'active_ongoing')
    for (let epochs = 0; epochs < 4; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    expect(await harness.row(key)).toMatchObject({ missed_epochs: 0 })
    const pubkeys = [formatHex(key.pubkey)]
    await harness.dev('offline', { pubkeys, offline: true })
    for (let epochs = 0; epochs < 3; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    const { missed_epochs } = await harness.row(key)
    expect(missed_epochs).toBeGreaterThanOrEqual(2)
    expect(await harness.alarms()).toMatchObject({ 'missing-duties': expect.any(Number) })
    await harness.dev('offline', { pubkeys, offline: false })
    for (let epochs = 0; epochs < 2; epochs++) {
      await harness.dev('advance', { epochs: 1 })
      await harness.pass()
    }
    expect(await harness.row(key)).toMatchObject({ missed_epochs: 0 })
  })

  it('that is slashed raises an alarm', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.deposit(key.depositCall)
    await harness.until(key, 'active_ongoing')
    await harness.dev('slash', { pubkey: key.pubkey.toString('hex') })
    await harness.until(key, 'active_slashed')
    expect(await harness.row(key)).toMatchObject({ slashed: true, exiting_at: expect.any(Date), released_at: null })
    expect(await harness.alarms()).toMatchObject({ slashed: 1 })
  })

  it('that another region holds is not imported', async () => {
    const key = await harness.create('us')
    const { network } = await harness.chains.get('dev')
    const root = network.genesisValidatorsRoot.toString('hex')
    const slashingProtection = JSON.stringify({
      metadata: { interchange_format_version: '5', genesis_validators_root: root },
      data: [],
    })
    const password = harness.keyGenerator.passwordOf(key)
    await harness.signers.of('dev', 'eu').import({ pubkey: key.pubkey, keystore: key.keystore, password, slashingProtection })
    await harness.pass()
    expect(await harness.held('us', key)).toBe(false)
    expect(await harness.row(key)).toMatchObject({ ready_at: null, signer_problem: expect.stringContaining('another region') })
    expect(await harness.alarms()).toMatchObject({ 'held-elsewhere': 1 })
  })

  it('waits for a signer that is away, and is imported when it is back', async () => {
    await harness.dev('down', { server: 'us', down: true })
    const key = await harness.create('us')
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({
      imported_at: null,
      signer_problem: expect.stringMatching(/^The validator client of its region does not answer: The signer of us cannot be reached: \w+/),
    })
    await harness.dev('down', { server: 'us', down: false })
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('is compromised by a deposit with other credentials that the key has signed, and by no deposit that anyone can make', async () => {
    const [own, attacked] = [await harness.create(), await harness.create()]
    const secretKey = await decryptKeystore(parseKeystore(own.keystore), harness.keyGenerator.passwordOf(own))
    expect(publicKeyOf(secretKey)).toEqual(own.pubkey)
    const { network } = await harness.chains.get('dev')
    const signed = makeDeposit(secretKey, { withdrawalCredentials: OTHERS, amountGwei: 32_000_000_000n }, network)
    await harness.deposit(encodeDepositCall(signed))
    await harness.deposit(encodeDepositCall({ ...signed, pubkey: attacked.pubkey }))
    await harness.pass()
    expect(await harness.row(own)).toMatchObject({ spoiled_at: expect.any(Date), deposited_at: null })
    expect(await harness.row(attacked)).toMatchObject({ spoiled_at: null, deposited_at: null, ready_at: expect.any(Date) })
    expect(await harness.held('eu', own)).toBe(false)
    expect(await harness.alarms()).toMatchObject({ spoiled: 1 })
  })
})

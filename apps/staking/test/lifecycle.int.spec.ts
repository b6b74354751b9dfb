import { publicKeyOf, verify } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit } from '@trestle/ethereum/deposit'
import { decryptKeystore, parseKeystore } from '@trestle/ethereum/keystore'
import { exitSigningRoot } from '@trestle/ethereum/signing'
import { parseInterchange } from '@trestle/ethereum/slashing-protection'
import type { ForgedKey } from '../src/keys/key-forge.service.js'
import { Stage } from './stage.js'

const OTHERS = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xbb)])

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

describe('the life of a validator', () => {
  let key: ForgedKey

  it('begins in the signer of its region, with its fee address there: then it is ready', async () => {
    key = await stage.create()
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null, deposited_at: null })
    expect([await stage.held('eu', key), await stage.held('us', key)]).toEqual([true, false])
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa1))
  })

  it('has its fee address set again where the signer forgot it, and another where another is wanted', async () => {
    await stage.signers.of('dev', 'eu').setFeeRecipient(key.pubkey, Buffer.alloc(20, 0xee))
    await stage.pass()
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa1))
    await stage.want(key, 'fee_address', Buffer.alloc(20, 0xa2))
    await stage.pass()
    expect(await feeRecipient()).toEqual(Buffer.alloc(20, 0xa2))
    expect(await stage.row(key)).toMatchObject({ signer_fee_address: Buffer.alloc(20, 0xa2), signer_problem: null })
  })

  it('is seen to be paid for, to wait, and to become active', async () => {
    await stage.deposit(key.depositCall)
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ deposited_at: expect.any(Date), beacon_status: null, spoiled_at: null })
    expect((await stage.until(key, 'active_ongoing')).slice(-2)).toEqual(['pending_queued', 'active_ongoing'])
    const row = await stage.row(key)
    const chain = await stage.chains.get('dev')
    expect(row).toMatchObject({ balance_gwei: expect.stringMatching(/^3[12]\d{9}$/), effective_balance_gwei: '32000000000' })
    expect(row.activated_at).toEqual(chain.epochTime(Number(row.activation_epoch)))
  })

  it('comes back to a signer that has lost it, which may not sign again what it may have signed', async () => {
    const signer = stage.signers.of('dev', 'eu')
    await signer.remove(key.pubkey)
    await stage.dev('down', { server: 'beacon', down: true })
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(false)
    expect(await stage.row(key)).toMatchObject({ ready_at: null, signer_problem: expect.stringContaining('has lost the key') })
    await stage.dev('down', { server: 'beacon', down: false })
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(true)
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
    expect(await stage.alarms()).toMatchObject({ 'lost-by-signer': 1 })
  })

  it('exits when its owner wants it and the chain lets it: one exit, signed for ever, kept before it is sent', async () => {
    await stage.want(key, 'exit_requested_at', new Date())
    expect(await stage.until(key, 'active_exiting')).toContain('active_exiting')
    const { rows } = await stage.pool.query('SELECT * FROM signed_exit')
    expect(rows).toMatchObject([{ pubkey: key.pubkey, sent_at: expect.any(Date) }])
    const [{ epoch, validator_index, signature }] = rows
    const { network } = await stage.chains.get('dev')
    const root = exitSigningRoot({ epoch: BigInt(epoch), validatorIndex: BigInt(validator_index) }, network)
    expect(verify(key.pubkey, root, signature)).toBe(true)
    expect(await stage.row(key)).toMatchObject({ exiting_at: expect.any(Date) })
  })

  it('is paid out, and only then its signer gives the key back, with all it had signed', async () => {
    await stage.until(key, 'withdrawal_done')
    expect(await stage.row(key)).toMatchObject({ withdrawn_at: expect.any(Date), exited_at: expect.any(Date), balance_gwei: '0' })
    for (let epochs = 0; epochs < 3; epochs++) {
      await stage.dev('advance', { epochs: 1 })
      await stage.pass()
    }
    expect(await stage.row(key)).toMatchObject({ released_at: expect.any(Date), ready_at: null })
    expect(await stage.held('eu', key)).toBe(false)
    const { rows } = await stage.pool.query('SELECT * FROM signing_history WHERE pubkey = $1', [key.pubkey])
    const { network } = await stage.chains.get('dev')
    const [history] = parseInterchange(rows[0].interchange, network.genesisValidatorsRoot).histories
    expect(history).toMatchObject({ pubkey: key.pubkey, attestations: [expect.anything()] })
  })

  it('is taken away again where somebody gives the key to a signer afterwards', async () => {
    const password = stage.forge.passwordOf(key)
    const { network } = await stage.chains.get('dev')
    const slashingProtection = JSON.stringify({
      metadata: { interchange_format_version: '5', genesis_validators_root: network.genesisValidatorsRoot.toString('hex') },
      data: [],
    })
    await stage.signers.of('dev', 'eu').import({ pubkey: key.pubkey, keystore: key.keystore, password, slashingProtection })
    // Of one that was paid out nothing is looked at any more, so it is one that still may be.
    await stage.want(key, 'withdrawn_at', null)
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(false)
    expect(await stage.alarms()).toMatchObject({ 'held-after-release': 1 })
  })

  it('was never signed with by two', async () => {
    expect(await stage.doubleSigners()).toEqual([])
  })

  function feeRecipient() {
    return stage.signers.of('dev', 'eu').feeRecipient(key.pubkey)
  }
})

describe('a key', () => {
  it('that its owner gave up is released when the chain shows that nothing was paid, not before', async () => {
    const key = await stage.create()
    await stage.pass()
    await stage.want(key, 'removed_at', new Date())
    await stage.dev('down', { server: 'beacon', down: true })
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(true)
    await stage.dev('down', { server: 'beacon', down: false })
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(false)
    expect(await stage.row(key)).toMatchObject({ released_at: expect.any(Date) })
    await stage.deposit(key.depositCall)
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(false)
    expect(await stage.row(key)).toMatchObject({ deposited_at: expect.any(Date) })
    expect(await stage.alarms()).toMatchObject({ 'paid-after-release': 1 })
  })

  it('that its owner gave up after paying goes on signing, and exits even while its signer is away', async () => {
    const key = await stage.create()
    await stage.pass()
    await stage.want(key, 'removed_at', new Date())
    await stage.deposit(key.depositCall)
    await stage.pass()
    expect(await stage.held('eu', key)).toBe(true)
    expect(await stage.row(key)).toMatchObject({ deposited_at: expect.any(Date), released_at: null })
    await stage.until(key, 'active_ongoing')
    await stage.dev('down', { server: 'eu', down: true })
    await stage.want(key, 'exit_requested_at', new Date())
    await stage.until(key, 'active_exiting')
    await stage.dev('down', { server: 'eu', down: false })
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null, slashed: false })
  })

  it('that is slashed is told of', async () => {
    const key = await stage.create()
    await stage.pass()
    await stage.deposit(key.depositCall)
    await stage.until(key, 'active_ongoing')
    await stage.dev('slash', { pubkey: key.pubkey.toString('hex') })
    await stage.until(key, 'active_slashed')
    expect(await stage.row(key)).toMatchObject({ slashed: true, exiting_at: expect.any(Date), released_at: null })
    expect(await stage.alarms()).toMatchObject({ slashed: 1 })
  })

  it('that another region has is imported nowhere', async () => {
    const key = await stage.create('us')
    const { network } = await stage.chains.get('dev')
    const root = network.genesisValidatorsRoot.toString('hex')
    const slashingProtection = JSON.stringify({
      metadata: { interchange_format_version: '5', genesis_validators_root: root },
      data: [],
    })
    const password = stage.forge.passwordOf(key)
    await stage.signers.of('dev', 'eu').import({ pubkey: key.pubkey, keystore: key.keystore, password, slashingProtection })
    await stage.pass()
    expect(await stage.held('us', key)).toBe(false)
    expect(await stage.row(key)).toMatchObject({ ready_at: null, signer_problem: expect.stringContaining('another region') })
    expect(await stage.alarms()).toMatchObject({ 'held-elsewhere': 1 })
  })

  it('waits for a signer that is away, and is imported when it is back', async () => {
    await stage.dev('down', { server: 'us', down: true })
    const key = await stage.create('us')
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ imported_at: null, signer_problem: 'The signer of its region cannot be asked.' })
    await stage.dev('down', { server: 'us', down: false })
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('is spoiled by a deposit for others that its key has signed, and by no deposit that anybody can make', async () => {
    const [own, attacked] = [await stage.create(), await stage.create()]
    const secretKey = await decryptKeystore(parseKeystore(own.keystore), stage.forge.passwordOf(own))
    expect(publicKeyOf(secretKey)).toEqual(own.pubkey)
    const { network } = await stage.chains.get('dev')
    const signed = makeDeposit(secretKey, { withdrawalCredentials: OTHERS, amountGwei: 32_000_000_000n }, network)
    await stage.deposit(encodeDepositCall(signed))
    await stage.deposit(encodeDepositCall({ ...signed, pubkey: attacked.pubkey }))
    await stage.pass()
    expect(await stage.row(own)).toMatchObject({ spoiled_at: expect.any(Date), deposited_at: null })
    expect(await stage.row(attacked)).toMatchObject({ spoiled_at: null, deposited_at: null, ready_at: expect.any(Date) })
    expect(await stage.held('eu', own)).toBe(false)
    expect(await stage.alarms()).toMatchObject({ spoiled: 1 })
  })
})

import { publicKeyOf } from '@trestle/ethereum/bls'
import { isValidDeposit, parseDepositCall } from '@trestle/ethereum/deposit'
import { parseKeystore } from '@trestle/ethereum/keystore'
import { decryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import { networkOf } from '@trestle/ethereum/network'
import { isValidExit } from '@trestle/ethereum/voluntary-exit'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Sealer } from '@trestle/runtime/sealing'
import { type GeneratedKey, KeyGenerator } from './key-generator.engine.js'

const ETH = 1_000_000_000n
const network = networkOf('hoodi')
const withdrawalCredentials = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xaa)])
const terms = { withdrawalCredentials, amountGwei: 32n * ETH, network }
const sealer = new Sealer([Buffer.alloc(32, 1)])

let lifecycle: Lifecycle
let keyGenerator: KeyGenerator
let key: GeneratedKey

beforeAll(async () => {
  lifecycle = new Lifecycle(createLogger('test', 'silent'))
  keyGenerator = new KeyGenerator(sealer, lifecycle)
  key = await keyGenerator.create(terms)
})
afterAll(() => lifecycle.run('close'))

describe(KeyGenerator, () => {
  it('creates a key with a deposit that the chain accepts', () => {
    const deposit = parseDepositCall(key.depositCall, 32n * ETH)
    expect(deposit).toMatchObject({ pubkey: key.pubkey, withdrawalCredentials })
    expect(isValidDeposit(deposit, network)).toBe(true)
    expect(isValidDeposit(deposit, networkOf('mainnet'))).toBe(false)
  })

  it('creates a keystore that the sealed password opens', async () => {
    const secretKey = await decryptKeystore(parseKeystore(key.keystore), keyGenerator.passwordOf(key))
    expect(publicKeyOf(secretKey)).toEqual(key.pubkey)
  })

  it('creates a different key each time', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyGenerator.create(terms)))
    expect(new Set(keys.map(({ pubkey }) => pubkey.toString('hex'))).size).toBe(20)
  })

  it('signs an exit with a stored key', async () => {
    const exit = await keyGenerator.signExit(key, { epoch: 7n, validatorIndex: 8n }, network)
    expect(isValidExit(exit, key.pubkey, network)).toBe(true)
    expect(exit.message).toEqual({ epoch: 7n, validatorIndex: 8n })
  })

  it('refuses a keystore that contains another key than the one it is stored for', async () => {
    const other = await keyGenerator.create(terms)
    const password = keyGenerator.passwordOf(other)
    const swapped = { pubkey: key.pubkey, keystore: other.keystore, sealedPassword: sealer.seal(password, key.pubkey) }
    await expect(keyGenerator.signExit(swapped, { epoch: 7n, validatorIndex: 8n }, network)).rejects.toThrow(
      'another key than the one it is stored for',
    )
    const renamed = { ...swapped, keystore: JSON.stringify({ ...JSON.parse(other.keystore), pubkey: key.pubkey.toString('hex') }) }
    await expect(keyGenerator.signExit(renamed, { epoch: 7n, validatorIndex: 8n }, network)).rejects.toThrow(
      'contains another key than it names',
    )
  })

  it('stores nothing that reveals the key without the sealing key', async () => {
    const password = keyGenerator.passwordOf(key)
    const secretKey = await decryptKeystore(parseKeystore(key.keystore), password)
    const dump = Buffer.concat([Buffer.from(key.keystore), key.sealedPassword, key.depositCall, key.pubkey])
    for (const secret of [
      password,
      Buffer.from(password, 'base64url').toString('hex'),
      secretKey.toString('hex'),
      secretKey.toString('base64'),
    ]) {
      expect(dump.includes(secret)).toBe(false)
      expect(dump.toString('hex')).not.toContain(secret)
    }
    expect(dump.includes(secretKey)).toBe(false)
    // What a thief would try with the sealed password: every key there is no reason to know, and the password left as it is.
    const others = new Sealer([Buffer.alloc(32)])
    expect(() => others.open(key.sealedPassword, key.pubkey)).toThrow('not among KEY_ENCRYPTION_KEYS')
    for (const guess of ['', key.sealedPassword.toString('hex'), key.sealedPassword.toString('base64url'), key.pubkey.toString('hex')])
      await expect(decryptKeystore(parseKeystore(key.keystore), guess)).rejects.toThrow('does not decrypt this keystore')
  })

  it('reports why a deposit cannot be made, and continues', async () => {
    await expect(keyGenerator.create({ ...terms, amountGwei: 1n })).rejects.toThrow('A deposit must be at least 1 ETH.')
    expect((await keyGenerator.create(terms)).pubkey).toHaveLength(48)
  })
})

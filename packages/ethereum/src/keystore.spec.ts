import fc from 'fast-check'
import { SECRET_KEYS } from '../test/arbitraries.js'
import { expectParsedOrMalformed } from '../test/malformed.js'
import { publicKeyOf } from './bls.js'
import { formatKeystore, type Keystore, parseKeystore, passwordBytes } from './keystore.js'
import { decryptKeystore, encryptKeystore, randomPassword } from './keystore-cipher.engine.js'
import { InvalidEthereumData } from './malformed.js'

const [SECRET, OTHER] = SECRET_KEYS as [Buffer, Buffer]
const FEW = { iterations: 2 }
const PASSWORD = 'correct horse'

describe(encryptKeystore, () => {
  it('writes what the password opens, by way of JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SECRET_KEYS), fc.string({ unit: 'binary' }), async (secret, password) => {
        const keystore = await encryptKeystore(secret, password, { ...FEW, path: 'm/12381/3600/0/0/0' })
        const read = parseKeystore(JSON.stringify(formatKeystore(keystore)))
        expect(read).toEqual(keystore)
        expect(read.pubkey).toEqual(publicKeyOf(secret))
        expect(await decryptKeystore(read, password)).toEqual(secret)
      }),
      { numRuns: 30 },
    )
  })

  it('asks as much work of a guesser as EIP-2335 does, and uses nothing twice', async () => {
    const [one, two] = await Promise.all([encryptKeystore(SECRET, PASSWORD), encryptKeystore(SECRET, PASSWORD)])
    expect(one.kdf).toMatchObject({ function: 'pbkdf2', iterations: 262_144 })
    for (const part of ['iv', 'cipherText', 'uuid', 'checksum'] as const) expect(one[part]).not.toEqual(two[part])
    expect(one.kdf.salt).not.toEqual(two.kdf.salt)
  })

  it('has the secret nowhere', async () => {
    const json = JSON.stringify(formatKeystore(await encryptKeystore(SECRET, PASSWORD, FEW)))
    expect(json).not.toContain(SECRET.toString('hex'))
    expect(json).not.toContain(PASSWORD)
  })
})

describe(decryptKeystore, () => {
  it('refuses another password', async () => {
    const keystore = await encryptKeystore(SECRET, PASSWORD, FEW)
    await expect(decryptKeystore(keystore, 'battery staple')).rejects.toThrow(
      new InvalidEthereumData('The password does not decrypt this keystore.'),
    )
  })

  it('refuses a keystore that names the key of another', async () => {
    const keystore = { ...(await encryptKeystore(SECRET, PASSWORD, FEW)), pubkey: publicKeyOf(OTHER) }
    await expect(decryptKeystore(keystore, PASSWORD)).rejects.toThrow(
      new InvalidEthereumData('The keystore contains another key than it names.'),
    )
  })

  it('finds a changed bit in every part', async () => {
    const keystore = await encryptKeystore(SECRET, PASSWORD, FEW)
    for (const part of ['checksum', 'iv', 'cipherText', 'pubkey'] as const)
      for (let at = 0; at < 128; at += 7)
        await expect(decryptKeystore(changed(keystore, part, at), PASSWORD)).rejects.toThrow(InvalidEthereumData)
    const salt = Buffer.from(keystore.kdf.salt).fill(1, 0, 1)
    await expect(decryptKeystore({ ...keystore, kdf: { ...keystore.kdf, salt } }, PASSWORD)).rejects.toThrow(InvalidEthereumData)
  })

  it('finds a cost malformed that scrypt does not know', async () => {
    const kdf = { function: 'scrypt', salt: Buffer.alloc(32), keyLength: 32, n: 2 ** 20, r: 1, p: 1 } as const
    await expect(decryptKeystore({ ...(await encryptKeystore(SECRET, PASSWORD, FEW)), kdf }, PASSWORD)).rejects.toThrow(InvalidEthereumData)
  })
})

describe(parseKeystore, () => {
  it.each<[string, (keystore: Json) => void]>([
    ['of another version', (keystore) => set(keystore, 'version', 3)],
    ['without a public key', (keystore) => set(keystore, 'pubkey', undefined)],
    ['without a path', (keystore) => set(keystore, 'path', undefined)],
    ['of another cipher', (keystore) => set(keystore, 'crypto.cipher.function', 'aes-128-cbc')],
    ['of another checksum', (keystore) => set(keystore, 'crypto.checksum.function', 'keccak256')],
    ['of another kdf', (keystore) => set(keystore, 'crypto.kdf.function', 'argon2')],
    ['of another prf', (keystore) => set(keystore, 'crypto.kdf.params.prf', 'hmac-sha1')],
    ['of a key too short for the cipher and the checksum', (keystore) => set(keystore, 'crypto.kdf.params.dklen', 16)],
    ['that takes minutes to open', (keystore) => set(keystore, 'crypto.kdf.params.c', 2 ** 31)],
    ['of a longer secret', (keystore) => set(keystore, 'crypto.cipher.message', '00'.repeat(33))],
  ])('refuses one %s', async (_, change) => {
    const json = formatKeystore(await encryptKeystore(SECRET, PASSWORD, FEW)) as Json
    change(json)
    expect(() => parseKeystore(json)).toThrow(InvalidEthereumData)
  })

  it.each([
    ['gigabytes', { n: 2 ** 24, r: 8, p: 1 }],
    ['a cost that is no power of two', { n: 262_143, r: 8, p: 1 }],
    ['no memory at all', { n: 0, r: 8, p: 1 }],
  ])('refuses scrypt with %s', async (_, cost) => {
    const json = formatKeystore(await encryptKeystore(SECRET, PASSWORD, FEW)) as Json
    set(json, 'crypto.kdf', { function: 'scrypt', params: { dklen: 32, salt: '00', ...cost }, message: '' })
    expect(() => parseKeystore(json)).toThrow(InvalidEthereumData)
  })

  it('finds anything else malformed', () => {
    fc.assert(fc.property(fc.anything(), (noise) => expectParsedOrMalformed(() => parseKeystore(noise))))
  })
})

it('a password is without what cannot be typed', () => {
  expect(passwordBytes('a\u0000b\u001fc\u007fd\u0085e\u009f f').toString()).toBe('abcde f')
  expect(passwordBytes('Å')).toEqual(passwordBytes('Å'))
})

it('a random password is 256 bits, of which EIP-2335 strips none', () => {
  const passwords = Array.from({ length: 50 }, randomPassword)
  expect(new Set(passwords).size).toBe(50)
  for (const password of passwords) expect(passwordBytes(password).toString()).toMatch(/^[\w-]{43}$/)
})

type Json = Record<string, unknown>

function set(json: Json, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length) set(json[name] as Json, rest.join('.'), value)
  else json[name] = value
}

function changed(keystore: Keystore, part: 'checksum' | 'iv' | 'cipherText' | 'pubkey', at: number): Keystore {
  const bytes = Buffer.from(keystore[part])
  bytes[at >> 3] = bytes[at >> 3]! ^ (1 << (at & 7))
  return { ...keystore, [part]: bytes }
}

import blst from '@chainsafe/blst'
import fc from 'fast-check'
import { arbitraryBytes, flipped, SECRET_KEYS, secretKey } from '../test/arbitraries.js'
import { deriveSecretKey, isPublicKey, publicKeyOf, secretKeyFrom, sign, verify } from './bls.js'
import { InvalidEthereumData } from './malformed.js'

const ORDER = Buffer.from('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001', 'hex')
const INFINITY = Buffer.concat([Buffer.of(0xc0), Buffer.alloc(47)])

describe(sign, () => {
  it('makes what its key alone verifies, for this message alone', () => {
    fc.assert(
      fc.property(secretKey, arbitraryBytes(32), fc.nat(), (key, message, at) => {
        const signature = sign(key, message)
        const publicKey = publicKeyOf(key)
        expect(verify(publicKey, message, signature)).toBe(true)
        expect(verify(publicKey, flipped(message, at), signature)).toBe(false)
        expect(verify(publicKey, message, flipped(signature, at))).toBe(false)
        expect(verify(flipped(publicKey, at), message, signature)).toBe(false)
      }),
      { numRuns: 25 },
    )
  })

  it('gives no signature away that is not of the public key it is for', () => {
    const [key, other] = SECRET_KEYS as [Buffer, Buffer]
    expect(() => sign(key, Buffer.alloc(32), publicKeyOf(other))).toThrow('The signature does not verify with its key.')
  })

  it.each([
    ['zero', Buffer.alloc(32)],
    ['the order of the group', ORDER],
    ['all ones', Buffer.alloc(32, 0xff)],
    ['31 bytes', Buffer.alloc(31, 1)],
    ['33 bytes', Buffer.alloc(33, 1)],
  ])('refuses a secret key that is %s', (_, key) => {
    expect(() => sign(key, Buffer.alloc(32))).toThrow(InvalidEthereumData)
    expect(() => publicKeyOf(key)).toThrow(InvalidEthereumData)
  })
})

describe(verify, () => {
  it('is false of noise, and never throws', () => {
    fc.assert(
      fc.property(arbitraryBytes(0, 200), arbitraryBytes(0, 64), arbitraryBytes(0, 200), (publicKey, message, signature) => {
        expect(verify(publicKey, message, signature)).toBe(false)
        expect(isPublicKey(publicKey)).toBe(false)
      }),
    )
  })

  it('is false of the uncompressed forms, which the library reads too', () => {
    const [key] = SECRET_KEYS as [Buffer]
    const message = Buffer.alloc(32)
    const uncompressed = {
      publicKey: blst.PublicKey.fromBytes(publicKeyOf(key)).toBytes(false),
      signature: blst.Signature.fromBytes(sign(key, message)).toBytes(false),
    }
    expect(verify(uncompressed.publicKey, message, sign(key, message))).toBe(false)
    expect(verify(publicKeyOf(key), message, uncompressed.signature)).toBe(false)
    expect(isPublicKey(uncompressed.publicKey)).toBe(false)
  })

  it('is false of infinity, which would verify everything', () => {
    const signature = Buffer.concat([INFINITY, Buffer.alloc(48)])
    expect(verify(INFINITY, Buffer.alloc(32), signature)).toBe(false)
    expect(isPublicKey(INFINITY)).toBe(false)
  })
})

describe(isPublicKey, () => {
  it('knows the key of a secret', () => {
    for (const key of SECRET_KEYS) expect(isPublicKey(publicKeyOf(key))).toBe(true)
  })

  it('refuses a point that is on the curve and not in the group', () => {
    // (0, 2), of order 3.
    const point = Buffer.concat([Buffer.of(0x80), Buffer.alloc(47)])
    expect(isPublicKey(point)).toBe(false)
  })
})

it('makes another key of other random bytes, and the same key of the same', () => {
  const keys = [0, 1, 1].map((byte) => secretKeyFrom(Buffer.alloc(32, byte)))
  expect(keys[0]).not.toEqual(keys[1])
  expect(keys[1]).toEqual(keys[2])
  expect(() => secretKeyFrom(Buffer.alloc(31))).toThrow()
})

describe(deriveSecretKey, () => {
  const seed = Buffer.alloc(32, 1)

  it.each(['', 'M/0', 'm/', '/0', 'm/00', 'm/-1', "m/0'", 'm/4294967296', 'm/0/', 'm/0x1', 'm/99999999999'])(
    'refuses the path %j',
    (path) => {
      expect(() => deriveSecretKey(seed, path)).toThrow(InvalidEthereumData)
    },
  )

  it('refuses a seed of fewer than 32 bytes', () => {
    expect(() => deriveSecretKey(Buffer.alloc(31), 'm/0')).toThrow(InvalidEthereumData)
  })
})

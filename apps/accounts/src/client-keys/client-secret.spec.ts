import fc from 'fast-check'
import { clientSecret, hashSecret, isClientSecret } from './client-secret.js'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 })
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

describe(clientSecret, () => {
  it('is a prefix, 43 digits of randomness and 6 of checksum', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(clientSecret(bytes)).toMatch(/^trs_[0-9A-Za-z]{49}$/)
        expect(isClientSecret(clientSecret(bytes))).toBe(true)
      }),
    )
  })

  it('is another one for other randomness', () => {
    fc.assert(
      fc.property(random, random, (a, b) => {
        expect(clientSecret(a) === clientSecret(b)).toBe(Buffer.from(a).equals(b))
      }),
    )
  })

  it.each([0x00, 0xff])('has the same length when every byte is %i', (byte) => {
    expect(clientSecret(Buffer.alloc(32, byte))).toHaveLength(53)
  })
})

describe(isClientSecret, () => {
  it('notices every single character that is changed', () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 4, max: 52 }), fc.constantFrom(...DIGITS), (bytes, at, digit) => {
        const secret = clientSecret(bytes)
        const changed = secret.slice(0, at) + digit + secret.slice(at + 1)
        expect(isClientSecret(changed)).toBe(changed === secret)
      }),
    )
  })

  it('recognises nothing else as a secret', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `trs_${text}`),
        ),
        (text) => !isClientSecret(text),
      ),
    )
  })

  it.each(['prefix', 'suffix', 'line'])('accepts no secret with a %s', (where) => {
    const secret = clientSecret(Buffer.alloc(32, 7))
    const spoilt = { prefix: ` ${secret}`, suffix: `${secret}0`, line: `${secret}\n` }
    expect(isClientSecret(spoilt[where as keyof typeof spoilt])).toBe(false)
  })
})

describe(hashSecret, () => {
  it('is the SHA-256 of the text', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

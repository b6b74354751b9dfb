import fc from 'fast-check'
import { open, seal } from './seal.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe(seal, () => {
  it('gives back what was sealed', () => {
    fc.assert(
      fc.property(bytes(32), bytes(12), fc.string({ unit: 'grapheme' }), (key, nonce, text) => {
        expect(open(key, seal(key, text, nonce))).toBe(text)
      }),
    )
  })

  it('notices every changed byte', () => {
    fc.assert(
      fc.property(bytes(32), bytes(12), fc.string(), fc.nat(), (key, nonce, text, at) => {
        const sealed = seal(key, text, nonce)
        sealed.writeUInt8(sealed.readUInt8(at % sealed.length) ^ 1, at % sealed.length)
        expect(() => open(key, sealed)).toThrow('authenticate')
      }),
    )
  })

  it('refuses what is too short to hold a nonce and a tag', () => {
    expect(() => open(Buffer.alloc(32), Buffer.alloc(27))).toThrow('too short')
  })
})

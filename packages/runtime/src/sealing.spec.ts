import fc from 'fast-check'
import { open, PlainSealer, Sealer, seal } from './sealing.js'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const OWNER = Buffer.alloc(48, 3)

const bytes = (constraints: fc.IntArrayConstraints) => fc.uint8Array(constraints)
const keys = bytes({ minLength: 32, maxLength: 32 })
const texts = fc.string({ unit: 'grapheme' })

describe(seal, () => {
  it('makes what `open` returns', () => {
    fc.assert(fc.property(keys, texts, bytes({}), (key, text, context) => expect(open(key, seal(key, text, context), context)).toBe(text)))
  })

  it('detects every changed byte', () => {
    fc.assert(
      fc.property(keys, texts, fc.nat(), (key, text, at) => {
        const sealed = seal(key, text)
        sealed.writeUInt8(sealed.readUInt8(at % sealed.length) ^ 1, at % sealed.length)
        expect(() => open(key, sealed)).toThrow('authenticate')
      }),
    )
  })

  it('detects a different key and a different context', () => {
    const sealed = seal(OLD, 'a text', OWNER)
    expect(() => open(NEW, sealed, OWNER)).toThrow('authenticate')
    expect(() => open(OLD, sealed)).toThrow('authenticate')
  })

  it('refuses a text that is too short for a nonce and a tag', () => {
    expect(() => open(OLD, Buffer.alloc(27))).toThrow('too short')
  })

  it('opens what was sealed in earlier versions', () => {
    const sealed = Buffer.from('050505050505050505050505608295501ac6619f36354b6a3c360153b0141a8d526c', 'hex')
    expect(open(OLD, sealed)).toBe('a text')
  })
})

describe(PlainSealer, () => {
  const both = new PlainSealer([NEW, OLD])

  it('opens what any of its keys sealed, and seals with the newest', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(both.open(seal(OLD, text))).toBe(text)
        expect(open(NEW, both.seal(text))).toBe(text)
      }),
    )
    expect(() => new PlainSealer([NEW]).open(seal(OLD, 'a text'))).toThrow('authenticate')
  })

  it('seals again what an older key sealed, and nothing else', () => {
    const resealed = both.reseal(seal(OLD, 'a text'))
    expect(open(NEW, resealed!)).toBe('a text')
    expect(both.reseal(resealed!)).toBeUndefined()
    expect(() => both.reseal(seal(Buffer.alloc(32, 9), 'a text'))).toThrow('authenticate')
    expect([both, new PlainSealer([NEW])].map(({ hasOlderKeys }) => hasOlderKeys)).toEqual([true, false])
  })
})

describe(Sealer, () => {
  it('opens what it sealed', () => {
    const sealer = new Sealer([NEW])
    fc.assert(fc.property(texts, (text) => expect(sealer.open(sealer.seal(text, OWNER), OWNER)).toBe(text)))
  })

  it('opens what an older key sealed, and seals with the newest', () => {
    const sealed = new Sealer([OLD]).seal('password', OWNER)
    const both = new Sealer([NEW, OLD])
    expect(both.open(sealed, OWNER)).toBe('password')
    expect(new Sealer([NEW]).open(both.seal('password', OWNER), OWNER)).toBe('password')
    expect(() => new Sealer([NEW]).open(sealed, OWNER)).toThrow('The key that sealed this is not among KEY_ENCRYPTION_KEYS.')
  })

  it('seals again what an older key sealed, and nothing else', () => {
    const both = new Sealer([NEW, OLD])
    const resealed = both.reseal(new Sealer([OLD]).seal('password', OWNER), OWNER)
    expect(new Sealer([NEW]).open(resealed!, OWNER)).toBe('password')
    expect(both.reseal(resealed!, OWNER)).toBeUndefined()
    expect([both, new Sealer([NEW])].map(({ hasOlderKeys }) => hasOlderKeys)).toEqual([true, false])
  })

  it('opens a text for its owner only', () => {
    const sealer = new Sealer([NEW])
    expect(() => sealer.open(sealer.seal('password', OWNER), Buffer.alloc(48, 4))).toThrow('unable to authenticate data')
  })

  it('opens no text of which a bit was changed or a part is missing', () => {
    const sealer = new Sealer([NEW])
    const sealed = sealer.seal('password', OWNER)
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => sealer.open(changed, OWNER)).toThrow(/authenticate|not among/)
      }),
    )
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), (end) => expect(() => sealer.open(sealed.subarray(0, end), OWNER)).toThrow(/short|auth/i)),
    )
  })

  it('never seals twice to the same bytes', () => {
    const sealer = new Sealer([NEW])
    expect(sealer.seal('password', OWNER)).not.toEqual(sealer.seal('password', OWNER))
  })

  it('accepts keys of 32 bytes only', () => {
    expect(() => new Sealer([])).toThrow('At least one sealing key of 32 bytes is required.')
    expect(() => new Sealer([Buffer.alloc(31)])).toThrow('At least one sealing key of 32 bytes is required.')
  })

  it('opens what was sealed in earlier versions', () => {
    const sealed = 'dc879c81627e373e4ed3ba418e53f6603a21a9821b2dc855aabc098fafae9f5b9bef9c19b1472115a6db16eb4070'
    expect(new Sealer([OLD]).open(Buffer.from(sealed, 'hex'), OWNER)).toBe('a password')
  })
})

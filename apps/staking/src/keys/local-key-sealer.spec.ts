import fc from 'fast-check'
import { LocalKeySealer } from './local-key-sealer.js'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const PUBKEY = Buffer.alloc(48, 3)

describe(LocalKeySealer, () => {
  it('opens what it sealed', () => {
    const sealer = new LocalKeySealer([NEW])
    fc.assert(fc.property(fc.string(), (password) => expect(sealer.open(sealer.seal(password, PUBKEY), PUBKEY)).toBe(password)))
  })

  it('opens what an older key sealed, and seals under the newest', () => {
    const sealed = new LocalKeySealer([OLD]).seal('password', PUBKEY)
    const both = new LocalKeySealer([NEW, OLD])
    expect(both.open(sealed, PUBKEY)).toBe('password')
    expect(new LocalKeySealer([NEW]).open(both.seal('password', PUBKEY), PUBKEY)).toBe('password')
    expect(() => new LocalKeySealer([NEW]).open(sealed, PUBKEY)).toThrow('under a key that is not among KEY_ENCRYPTION_KEYS')
  })

  it('opens nothing for another key than the one it was sealed for', () => {
    const sealer = new LocalKeySealer([NEW])
    expect(() => sealer.open(sealer.seal('password', PUBKEY), Buffer.alloc(48, 4))).toThrow('unable to authenticate data')
  })

  it('opens nothing of which a bit was changed, or a part is missing', () => {
    const sealer = new LocalKeySealer([NEW])
    const sealed = sealer.seal('password', PUBKEY)
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => sealer.open(changed, PUBKEY)).toThrow(/authenticate|not among/)
      }),
    )
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), (end) => expect(() => sealer.open(sealed.subarray(0, end), PUBKEY)).toThrow(/short|auth/i)),
    )
  })

  it('never seals twice alike', () => {
    const sealer = new LocalKeySealer([NEW])
    expect(sealer.seal('password', PUBKEY)).not.toEqual(sealer.seal('password', PUBKEY))
  })

  it('is made of keys of 32 bytes only', () => {
    expect(() => new LocalKeySealer([])).toThrow('there must be one')
    expect(() => new LocalKeySealer([Buffer.alloc(31)])).toThrow('A sealing key has 32 bytes')
  })
})

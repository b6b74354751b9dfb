import { KeyHolders } from './key-holders.js'

const [A, B, C] = [1, 2, 3].map((byte) => Buffer.alloc(48, byte)) as [Buffer, Buffer, Buffer]

describe(KeyHolders, () => {
  const holders = new KeyHolders(
    new Map([
      ['eu', [A, B]],
      ['us', [B]],
    ]),
  )

  it('knows who holds a key, unless its own signer did not answer', () => {
    expect(holders.presenceOf({ pubkey: A, region: 'eu' })).toEqual({ held: true, heldElsewhere: false })
    expect(holders.presenceOf({ pubkey: B, region: 'us' })).toEqual({ held: true, heldElsewhere: true })
    expect(holders.presenceOf({ pubkey: A, region: 'us' })).toEqual({ held: false, heldElsewhere: true })
    expect(holders.presenceOf({ pubkey: A, region: 'asia' })).toBeUndefined()
  })

  it('returns the keys that appeared or disappeared', () => {
    const later = new KeyHolders(
      new Map([
        ['eu', [A, C]],
        ['us', [B]],
      ]),
    )
    expect(later.changedSince(holders)).toEqual([B, C])
    expect(holders.changedSince(holders)).toEqual([])
  })

  it('returns everything if a signer did not answer before', () => {
    expect(holders.changedSince(undefined)).toBe('everything')
    expect(holders.changedSince(new KeyHolders(new Map([['eu', [A, B]]])))).toBe('everything')
  })

  it('ignores a signer that does not answer now', () => {
    expect(new KeyHolders(new Map([['eu', [A, B]]])).changedSince(holders)).toEqual([])
  })

  it('returns everything if many keys changed', () => {
    const many = Array.from({ length: 1_001 }, (_, index) => Buffer.from(String(index).padStart(48)))
    expect(
      new KeyHolders(
        new Map([
          ['eu', many],
          ['us', [B]],
        ]),
      ).changedSince(holders),
    ).toBe('everything')
  })
})

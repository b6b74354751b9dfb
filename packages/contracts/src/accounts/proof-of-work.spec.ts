import { beginsWithZeroBits } from './proof-of-work.js'

describe(beginsWithZeroBits, () => {
  it.each([
    [[0xff], 0, true],
    [[0x80], 1, false],
    [[0x7f], 1, true],
    [[0x00, 0xff], 8, true],
    [[0x00, 0x1f], 11, true],
    [[0x00, 0x20], 11, false],
    [[0x01, 0x00], 9, false],
    [[0x00, 0x00], 16, true],
    [[0x00], 16, false],
  ])('of %j for %i bits is %s', (digest, bits, expected) => {
    expect(beginsWithZeroBits(Uint8Array.from(digest), bits)).toBe(expected)
  })
})

import { payToPublicKeyHash } from '@trestle/bitcoin/script'
import { trackingDigest, trackingOf } from './tracking.js'

const [one, two] = [1, 2].map((byte) => payToPublicKeyHash(Buffer.alloc(20, byte))) as [Buffer, Buffer]

describe(trackingOf, () => {
  it('tracks every owner if none is listed', () => {
    expect(trackingOf([]).isTracked(one)).toBe(true)
  })

  it('tracks the listed owners and no other', () => {
    const tracking = trackingOf([one])
    expect([one, two].map((script) => tracking.isTracked(Buffer.from(script)))).toEqual([true, false])
  })
})

describe(trackingDigest, () => {
  it('does not depend on the order or on duplicates', () => {
    expect(trackingDigest([two, one, two])).toEqual(trackingDigest([one, two]))
    expect(trackingDigest([one])).not.toEqual(trackingDigest([one, two]))
  })

  it('is undefined for all owners', () => {
    expect(trackingDigest([])).toBeUndefined()
  })
})

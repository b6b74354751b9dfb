import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { payToPublicKeyHash } from '@trestle/bitcoin/script'
import { scriptKeys } from './script-keys.js'
import { trackingDigest, trackingOf } from './tracking.js'

const RULES = chainRules('btc', 'regtest')
const SECRET = Buffer.alloc(16, 7)
const keyOf = scriptKeys(SECRET)
const [one, two] = [1, 2].map((byte) => payToPublicKeyHash(Buffer.alloc(20, byte))) as [Buffer, Buffer]
const addressTo = (script: Buffer) => addressOf(script, RULES) as string

describe(trackingOf, () => {
  it('tracks everything where nothing is asked for', () => {
    expect(trackingOf([], SECRET, RULES).isTracked(keyOf(one))).toBe(true)
  })

  it('tracks the addresses that are asked for, and no other', () => {
    const tracking = trackingOf([addressTo(one)], SECRET, RULES)
    expect([one, two].map((script) => tracking.isTracked(keyOf(script)))).toEqual([true, false])
  })
})

describe(trackingDigest, () => {
  it('does not depend on the order, nor on what is said twice', () => {
    const [a, b] = [addressTo(one), addressTo(two)]
    expect(trackingDigest([b, a, b], RULES)).toEqual(trackingDigest([a, b], RULES))
    expect(trackingDigest([a], RULES)).not.toEqual(trackingDigest([a, b], RULES))
  })

  it('is nothing for everything', () => {
    expect(trackingDigest([], RULES)).toBeUndefined()
  })
})

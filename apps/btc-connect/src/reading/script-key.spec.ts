import { createHash } from 'node:crypto'
import { payToPublicKeyHash } from '@trestle/bitcoin/script'
import { keysOf } from './script-key.js'

const SECRET = Buffer.alloc(16, 7)
const KEY = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')

describe(keysOf, () => {
  it('is the first half of a keyed hash, as Postgres writes a uuid', () => {
    const script = payToPublicKeyHash(Buffer.alloc(20, 1))
    const digest = createHash('sha256').update(SECRET).update(script).digest('hex')
    const key = keysOf(SECRET)(script)
    expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(key.replaceAll('-', '')).toBe(digest.slice(0, 32))
  })

  it('is one for a bare key and for its hash', () => {
    const hash = createHash('ripemd160').update(createHash('sha256').update(KEY).digest()).digest()
    const keyOf = keysOf(SECRET)
    expect(keyOf(Buffer.concat([Buffer.of(33), KEY, Buffer.of(0xac)]))).toBe(keyOf(payToPublicKeyHash(hash)))
  })

  it('is another in another index', () => {
    const script = payToPublicKeyHash(Buffer.alloc(20, 1))
    expect(keysOf(Buffer.alloc(16, 8))(script)).not.toBe(keysOf(SECRET)(script))
  })
})

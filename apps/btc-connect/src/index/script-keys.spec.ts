import { createHash } from 'node:crypto'
import { payToPublicKeyHash } from '@trestle/bitcoin/script'
import fc from 'fast-check'
import { scriptKeys, scriptUuids } from './script-keys.js'

const SECRET = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const KEY = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')

describe(scriptKeys, () => {
  it('is the prefix of a keyed hash', () => {
    const keyOf = scriptKeys(SECRET)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 10_000 }), (bytes) => {
        const script = Buffer.from(bytes)
        const digest = createHash('sha256').update(SECRET).update(script).digest('hex')
        expect(keyOf(script).toString('hex')).toBe(digest.slice(0, 32))
      }),
    )
  })
})

describe(scriptUuids, () => {
  it('is the key as Postgres writes a uuid', () => {
    const script = payToPublicKeyHash(Buffer.alloc(20, 1))
    const key = scriptUuids(SECRET)(script)
    expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(key.replaceAll('-', '')).toBe(scriptKeys(SECRET)(script).toString('hex'))
  })

  it('is the same for a bare key and for its hash', () => {
    const hash = createHash('ripemd160').update(createHash('sha256').update(KEY).digest()).digest()
    const keyOf = scriptUuids(SECRET)
    expect(keyOf(Buffer.concat([Buffer.of(33), KEY, Buffer.of(0xac)]))).toBe(keyOf(payToPublicKeyHash(hash)))
  })

  it('differs in another index', () => {
    const script = payToPublicKeyHash(Buffer.alloc(20, 1))
    expect(scriptUuids(Buffer.alloc(16, 8))(script)).not.toBe(scriptUuids(SECRET)(script))
  })
})

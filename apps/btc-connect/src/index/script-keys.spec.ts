import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { scriptKeys } from './script-keys.js'

const SECRET = Buffer.from('00112233445566778899aabbccddeeff', 'hex')

describe(scriptKeys, () => {
  it('is the beginning of a keyed hash', () => {
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

import blst from '@chainsafe/blst'
import { signTogether } from './signing.js'

const MESSAGE = Buffer.alloc(32, 7)

describe(signTogether, () => {
  it('is the aggregate of the signatures of all, whoever signs twice included', () => {
    const keys = [1, 2, 2, 3].map((number) => Buffer.alloc(32, number))
    const signatures = keys.map((key) => blst.SecretKey.fromBytes(key).sign(MESSAGE))
    expect(Buffer.from(signTogether(keys, MESSAGE))).toEqual(Buffer.from(blst.aggregateSignatures(signatures).toBytes()))
  })

  it('is the point at infinity without signers', () => {
    expect(Buffer.from(signTogether([], MESSAGE)).toString('hex')).toBe(`c0${'00'.repeat(95)}`)
  })
})

import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { CURVE, publicJwkOf } from '../signing-keys/public-jwk.js'
import { signJwt } from './jwt.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', CURVE)
const publicJwk = publicJwkOf(publicKey)
const signed = (claims: object) => signJwt(claims, 'at+jwt', { kid: publicJwk.kid, privateKey })

describe(signJwt, () => {
  it('signs what jose verifies', async () => {
    const token = signed({ sub: 'ü', n: 1 })
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'], typ: 'at+jwt' })
    expect(payload).toEqual({ sub: 'ü', n: 1 })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: publicJwk.kid })
  })

  it('notices a change of any character of a token, except in the unused bits of the last', async () => {
    const token = signed({ sub: 'user' })
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom(...'AQgw_-.0'), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        fc.pre(changed !== token)
        await expect(jwtVerify(changed, publicKey, { algorithms: ['ES256'], typ: 'at+jwt' })).rejects.toBeInstanceOf(errors.JOSEError)
      }),
    )
  })
})

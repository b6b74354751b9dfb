import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { generateKeyPair } from '../signing-keys/key-pair.js'
import { signJwt } from './jwt.js'

const { privateKey, publicJwk } = generateKeyPair()
const publicKey = createPublicKey(privateKey)
const signed = (claims: object) => signJwt(claims, 'at+jwt', { kid: publicJwk.kid, privateKey })

describe(signJwt, () => {
  it('signs what jose verifies', async () => {
    const token = signed({ sub: 'ü', n: 1 })
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'], typ: 'at+jwt' })
    expect(payload).toEqual({ sub: 'ü', n: 1 })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: publicJwk.kid })
  })

  it('leaves no character of a token that could be another, but for the unused bits of the last', async () => {
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

import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { CURVE, publicJwkOf, thumbprint } from './public-jwk.js'

describe(publicJwkOf, () => {
  it('describes a P-256 key, with its thumbprint as its id', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', CURVE)
    const publicJwk = publicJwkOf(publicKey)
    expect(publicJwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    expect(publicJwk.kid).toBe(await calculateJwkThumbprint(publicJwk))
    expect(privateKey.export({ format: 'jwk' })).toMatchObject({ x: publicJwk.x, y: publicJwk.y })
    expect(Object.keys(publicJwk)).not.toContain('d')
  })
})

describe(thumbprint, () => {
  it('hashes the members in the order that RFC 7638 section 3.2 requires', async () => {
    const jwk = {
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kty: 'EC',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      crv: 'P-256',
    } as const
    expect(thumbprint(jwk)).toBe(await calculateJwkThumbprint(jwk))
  })
})

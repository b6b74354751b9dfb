import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { TestAuthority } from '@trestle/runtime/test/certificates'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

const AUDIENCE = 'an-app'

/** An identity provider on this machine that publishes its keys over TLS, and signs tokens. */
export async function startIdentityProvider() {
  const known = getCACertificates()
  const authority = new TestAuthority(`Test CA ${randomUUID()}`)
  setDefaultCACertificates([...known, authority.cert])
  const keys = {
    RS256: await providerKey('RS256', 'rsa'),
    ES256: await providerKey('ES256', 'ec'),
    EdDSA: await providerKey('EdDSA', 'ed'),
  }
  const state = { fetched: 0, published: Object.values(keys).map(({ jwk }) => jwk) as unknown[], respond: undefined as Respond | undefined }
  const server = createServer(authority.issue({ names: ['127.0.0.1', 'localhost'] }), (request, response) => {
    state.fetched++
    if (state.respond) return state.respond(request, response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: state.published }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = 'https://id.example'
  const sign = (claims: object = {}, { key = keys.ES256, header = {} as object } = {}) =>
    new SignJWT({ sub: 'ada', iss: issuer, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 600, ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.jwk.kid, ...header })
      .sign(key.privateKey)
  return {
    state,
    keys,
    issuer,
    port,
    tokens: { jwksUrl: `https://127.0.0.1:${port}/keys`, issuer, audience: AUDIENCE },
    sign,
    async stop() {
      setDefaultCACertificates(known)
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function providerKey(alg: 'RS256' | 'ES256' | 'EdDSA', kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { alg, jwk, privateKey }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Json = Record<string, unknown>

export interface Lies {
  /** Instead of what discovery says. */
  discovery?: Json | ((response: ServerResponse) => void)
  /** Claims of the id_token; `undefined` leaves one out. */
  claims?: Json
  /** Signs with a key that is not published. */
  foreignKey?: boolean
  /** The whole id_token. */
  idToken?: (claims: Json) => string | Promise<string>
  /** Instead of the whole token response. */
  token?: (response: ServerResponse) => void
  userinfo?: Json
}

/** An OpenID provider that answers whatever it is told to, as a hostile or broken one would. */
export async function startLyingProvider(clientId: string) {
  const [key, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const told: { lies: Lies; nonce: string; requests: string[] } = { lies: {}, nonce: '', requests: [] }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    told.requests.push(request.url ?? '')
    request.resume()
    const { lies } = told
    switch (request.url) {
      case '/.well-known/openid-configuration':
        if (typeof lies.discovery === 'function') return lies.discovery(response)
        return send(response, { ...metadata(), ...lies.discovery })
      case '/keys':
        return send(response, { keys: [jwk] })
      case '/token':
        if (lies.token) return lies.token(response)
        return send(response, { access_token: 'access', token_type: 'Bearer', id_token: await idToken() })
      case '/userinfo':
        return send(response, lies.userinfo ?? {})
      default:
        return send(response, {}, 404)
    }
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  })

  function idToken() {
    const now = Math.floor(Date.now() / 1000)
    const claims: Json = {
      iss: issuer,
      sub: 'mallory',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: told.nonce,
      email: 'mallory@liar.example',
      email_verified: true,
      ...told.lies.claims,
    }
    if (told.lies.idToken) return told.lies.idToken(claims)
    return sign(claims, told.lies.foreignKey ? foreign.privateKey : key.privateKey)
  }

  function sign(claims: Json, signing = key.privateKey) {
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(signing)
  }

  return {
    issuer,
    jwk,
    sign,
    requests: told.requests,
    lie(lies: Lies) {
      told.lies = lies
    },
    /** What the browser would bring back, from the address it was sent to. */
    authorize(authorizationUrl: string): Record<string, string> {
      const query = new URL(authorizationUrl).searchParams
      told.nonce = query.get('nonce') ?? ''
      return { code: 'code', state: query.get('state') ?? '', iss: issuer }
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

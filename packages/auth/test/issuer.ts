import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { APPROVAL_TYPE, type ApprovalClaims } from '../src/approval-claims.js'
import { accountClaims, clientClaims, TOKEN_KINDS, type TokenKind } from '../src/claims.js'
import { withLowS } from '../src/low-s.js'

export const ISSUER = 'https://trestle.test/accounts'

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: PublicJwk
}

export interface TokenParts {
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  key?: SigningKey
}

/** Signs what the accounts service would, with whatever a test replaces. */
export class TestIssuer {
  readonly keys: Record<TokenKind, SigningKey> = { account: signingKey(), client: signingKey() }

  account(parts: TokenParts = {}): string {
    const grant = { issuer: ISSUER, userId: `user-${randomUUID()}`, sessionId: `session-${randomUUID()}`, epoch: 3, administrator: false }
    return this.token('account', accountClaims({ ...grant, jti: randomUUID() }, new Date()), parts)
  }

  client(parts: TokenParts = {}): string {
    const grant = { issuer: ISSUER, userId: `user-${randomUUID()}`, clientId: `client-${randomUUID()}`, epoch: 3, keyEpoch: 5 }
    return this.token('client', clientClaims({ ...grant, scopes: CLIENT_AREAS, jti: randomUUID() }, new Date()), parts)
  }

  approval(claims: ApprovalClaims, { header, payload, key = this.keys.account }: TokenParts = {}): string {
    const content = { ...claims, ...payload }
    return compact({ alg: 'ES256', typ: APPROVAL_TYPE, kid: key.kid, ...header }, content, (input) => signature(input, key))
  }

  jwks() {
    return { account: [this.keys.account.jwk], client: [this.keys.client.jwk] }
  }

  private token(kind: TokenKind, claims: object, { header, payload, key = this.keys[kind] }: TokenParts): string {
    return compact({ alg: 'ES256', typ: TOKEN_KINDS[kind].typ, kid: key.kid, ...header }, { ...claims, ...payload }, (input) =>
      signature(input, key),
    )
  }
}

export function signingKey(kid: string = randomUUID()): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return { kid, privateKey, publicKey, jwk: { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' } }
}

/** RFC 7515 section 3.1, with any signer. */
export function compact(header: object, payload: unknown, signer: (input: string) => Buffer): string {
  const input = `${segment(header)}.${segment(payload)}`
  return `${input}.${signer(input).toString('base64url')}`
}

export function signature(input: string, { privateKey }: SigningKey): Buffer {
  return Buffer.from(withLowS(sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })))
}

/** The same token with its signature changed. */
export function resigned(token: string, change: (bytes: Buffer) => Buffer): string {
  const [header, payload, mac = ''] = token.split('.')
  return `${header}.${payload}.${change(Buffer.from(mac, 'base64url')).toString('base64url')}`
}

function segment(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

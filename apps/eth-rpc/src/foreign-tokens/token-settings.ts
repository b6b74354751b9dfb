import { isIP } from 'node:net'
import { Problem } from '@trestle/problem/problem'
import { isInternalAddress } from '@trestle/runtime/internal-address'

/** The identity provider of a project's owner. */
export interface TokenSettings {
  /** Where its public keys are: a JWK Set (RFC 7517). */
  readonly jwksUrl: string
  readonly issuer: string
  readonly audience: string
}

/** Whether a host that a user named may be connected to. */
export function mayReach(address: string, allowsLoopback: boolean): boolean {
  return !isInternalAddress(address) || (allowsLoopback && (address === '::1' || address.startsWith('127.')))
}

/** Problem `InvalidInput` unless the keys may be fetched from there, as far as the URL tells: names are looked at when they are resolved. */
export function checkTokenSettings(tokens: TokenSettings | null | undefined, allowsLoopback: boolean): void {
  if (!tokens) return
  const { hostname, username, password } = new URL(tokens.jwksUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (username || password) throw invalidUrl('must have no user name or password')
  if (isIP(host) !== 0 && !mayReach(host, allowsLoopback)) throw invalidUrl('must be on the internet')
}

/** As they are in the row of a project. */
export function tokenColumns(tokens: TokenSettings | undefined) {
  return { tokenJwksUrl: tokens?.jwksUrl ?? null, tokenIssuer: tokens?.issuer ?? null, tokenAudience: tokens?.audience ?? null }
}

export function tokensIn({ tokenJwksUrl, tokenIssuer, tokenAudience }: ReturnType<typeof tokenColumns>): TokenSettings | undefined {
  if (tokenJwksUrl === null || tokenIssuer === null || tokenAudience === null) return undefined
  return { jwksUrl: tokenJwksUrl, issuer: tokenIssuer, audience: tokenAudience }
}

function invalidUrl(message: string): Problem {
  return new Problem('invalid', 'InvalidInput', `body.tokens.jwksUrl: ${message}`, { errors: [{ path: 'body.tokens.jwksUrl', message }] })
}

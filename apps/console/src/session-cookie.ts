import { z } from 'zod'

// The account token lives in a cookie that no script can read: what runs in the page never holds it (RFC 6265 section 5.4, "__Host-").

const Claims = z.object({ iat: z.number(), exp: z.number(), aud: z.union([z.string().transform((area) => [area]), z.array(z.string())]) })

interface CookieSource {
  cookie?: string
  /** Whether the browser came by HTTPS; a plain http page, as on a developer's machine, cannot keep a `Secure` cookie. */
  secure: boolean
}

/** The token in the browser's cookie. */
export function tokenOf({ cookie = '', secure }: CookieSource): string | undefined {
  const prefix = `${nameOf(secure)}=`
  const pair = cookie.split(';').find((each) => each.trim().startsWith(prefix))
  const token = pair?.trim().slice(prefix.length)
  // Only the characters of a JWT may reach a header.
  return token && /^[\w.-]{1,4096}$/.test(token) ? token : undefined
}

/** The claims of a token, unverified: good for what the page shows only, the services verify it. */
export function unverifiedClaims(token: string): z.output<typeof Claims> | undefined {
  try {
    return Claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** The role that the page shows itself in: `manager`, `account`, or none. */
export function roleOf(source: CookieSource): '' | 'account' | 'manager' {
  const claims = unverifiedClaims(tokenOf(source) ?? '')
  if (!claims) return ''
  return claims.aud.includes('manager') ? 'manager' : 'account'
}

/** `Set-Cookie` for a token, for as long as the token lives by its own two times. */
export function cookieFor(token: string, secure: boolean): string {
  const { iat = 0, exp = 0 } = unverifiedClaims(token) ?? {}
  return `${nameOf(secure)}=${token}; Max-Age=${exp - iat}; ${attributes(secure)}`
}

/** `Set-Cookie` that removes it. */
export function noCookie(secure: boolean): string {
  return `${nameOf(secure)}=; Max-Age=0; ${attributes(secure)}`
}

function nameOf(secure: boolean): string {
  return secure ? '__Host-trestle' : 'trestle'
}

function attributes(secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

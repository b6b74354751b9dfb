// What only the browser that begins a sign-in at an identity provider has: without it, nobody else's callback can sign it in (RFC 6749 section 10.12).
// `SameSite=Lax`, as it must come along when the provider sends the browser back.

const LIFETIME_SECONDS = 600

interface SignInProgress {
  readonly attempt: string
  /** The page of the console to go on with. */
  readonly to: string
}

/** `Set-Cookie` for a sign-in that has been begun; the last one of a browser counts. */
export function signInCookie({ attempt, to }: SignInProgress, secure: boolean): string {
  return `${nameOf(secure)}=${attempt}.${Buffer.from(to).toString('base64url')}; Max-Age=${LIFETIME_SECONDS}; ${attributes(secure)}`
}

/** `Set-Cookie` that removes it. */
export function noSignInCookie(secure: boolean): string {
  return `${nameOf(secure)}=; Max-Age=0; ${attributes(secure)}`
}

/** The sign-in that this browser has begun. */
export function signInOf({ cookie = '', secure }: { cookie?: string; secure: boolean }): SignInProgress | undefined {
  const prefix = `${nameOf(secure)}=`
  const pair = cookie.split(';').find((each) => each.trim().startsWith(prefix))
  const [attempt, encoded] = pair?.trim().slice(prefix.length).split('.') ?? []
  if (!attempt || encoded === undefined || !/^[\w-]{1,200}$/.test(attempt)) return undefined
  return { attempt, to: pageOf(Buffer.from(encoded, 'base64url').toString()) }
}

/** A page of the console, and never an address elsewhere. */
export function pageOf(to: string | undefined): string {
  if (to === undefined || !/^\/app(?:[/?#]|$)/.test(to) || to.length > 1000) return '/app'
  const { pathname, search, hash } = new URL(to, 'http://console')
  return /^\/app(?:\/|$)/.test(pathname) ? pathname + search + hash : '/app'
}

function nameOf(secure: boolean): string {
  return secure ? '__Host-trestle-sign-in' : 'trestle-sign-in'
}

function attributes(secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export interface BasicCredentials {
  /** The user-id of RFC 7617: here a user's id or e-mail address. */
  readonly identifier: string
  readonly password: string
}

// RFC 9110 section 11.4: the scheme's case does not matter, at least one space follows it. Base64 is that of RFC 4648 section 4, padded.
const HEADER = /^basic +([A-Za-z0-9+/]+={0,2})$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Reads HTTP Basic credentials (RFC 7617); undefined when they are not exactly one well-formed header.
 * Not passport-http, which cuts a password at its second colon.
 */
export function parseBasic(authorization: readonly string[]): BasicCredentials | undefined {
  const [header = '', ...others] = authorization
  const encoded = HEADER.exec(header)?.[1]
  const text = others.length === 0 && encoded ? decode(encoded) : undefined
  if (text === undefined) return undefined
  // The user-id cannot hold a colon; everything after the first one is password.
  const colon = text.indexOf(':')
  const identifier = text.slice(0, colon)
  const password = text.slice(colon + 1)
  // RFC 7617 section 2 bars control characters. A password may have them: it is hashed, never shown or compared as text.
  return colon < 1 || password === '' || CONTROL.test(identifier) ? undefined : { identifier, password }
}

function decode(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64')
  // Buffer accepts almost anything; what does not encode to the same text again was not base64.
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

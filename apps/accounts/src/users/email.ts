import { domainToASCII } from 'node:url'
import { Problem } from '@trestle/problem/problem'

/** An address as its owner writes it, and in the spelling that is compared. */
export interface Email {
  readonly address: string
  readonly canonical: string
}

// RFC 5321 section 4.5.3.1: the local part, and the address as it fits into a path.
const MAX_LOCAL_BYTES = 64
const MAX_ADDRESS_BYTES = 254

// RFC 5322 section 3.2.3, dot-atom: quoted local parts, comments and line breaks are never needed, and often an attack on a mailer.
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
// Checked first: domainToASCII parses a URL's host and would cut it at a slash.
const DOMAIN_CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Parses an address; undefined if no mail could be sent there. */
export function parseEmail(text: string): Email | undefined {
  if (Buffer.byteLength(text) > MAX_ADDRESS_BYTES) return undefined
  const [local = '', domain = '', ...rest] = text.split('@')
  if (rest.length > 0 || local.length > MAX_LOCAL_BYTES || !LOCAL.test(local)) return undefined
  const ascii = asciiDomain(domain)
  // Case in the local part is significant by RFC 5321, but no provider issues addresses that differ in case alone.
  const canonical = `${local.toLowerCase()}@${ascii}`
  return ascii === undefined || canonical.length > MAX_ADDRESS_BYTES ? undefined : { address: text, canonical }
}

/** Parses an address, or throws Problem `InvalidEmail`. */
export function requireEmail(text: string): Email {
  const email = parseEmail(text)
  if (!email) throw new Problem('invalid', 'InvalidEmail', 'This is not an e-mail address; it should look like name@example.org.')
  return email
}

/** The address for SMTP: the local part as written, the domain in punycode. */
export function deliverable(address: string): string {
  const { canonical } = requireEmail(address)
  return `${address.slice(0, address.indexOf('@'))}${canonical.slice(canonical.indexOf('@'))}`
}

function asciiDomain(domain: string): string | undefined {
  if (!DOMAIN_CHARACTERS.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  const labels = ascii.split('.')
  // A last label of digits is an IPv4 address in one of its spellings, never a domain (RFC 3696 section 2).
  const isDomain =
    labels.length >= 2 && ascii.length <= 253 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
  return isDomain ? ascii : undefined
}

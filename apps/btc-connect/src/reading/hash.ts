import { Problem } from '@trestle/problem/problem'

const DIGITS = 64
const MAX_ECHO = 100

/** Parses a hash in hex of either case; undefined for anything else. */
export function parseHash(text: string): Buffer | undefined {
  return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** Parses a transaction id, or throws a Problem with the text of Bitcoin Core. */
export function parseTxid(text: string): Buffer {
  const hash = parseHash(text)
  if (hash) return hash
  const shown = text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO).toWellFormed()}...` : text
  const wrong =
    text.length === DIGITS
      ? `must be hexadecimal string (not '${shown}')`
      : `must be of length ${DIGITS} (not ${text.length}, for '${shown}')`
  throw new Problem('invalid', 'InvalidTransactionId', `parameter 1 ${wrong}. Code:-8`)
}

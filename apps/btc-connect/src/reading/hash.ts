import { Problem } from '@trestle/problem/problem'

const DIGITS = 64
const LONGEST_ECHO = 100

/** The bytes of a hash in hex, whatever the case of its digits; undefined for everything else. */
export function parseHash(text: string): Buffer | undefined {
  return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** A transaction id, or the Problem in the words of Bitcoin Core. */
export function parseTxid(text: string): Buffer {
  const hash = parseHash(text)
  if (hash) return hash
  const shown = text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO).toWellFormed()}...` : text
  const wrong =
    text.length === DIGITS
      ? `must be hexadecimal string (not '${shown}')`
      : `must be of length ${DIGITS} (not ${text.length}, for '${shown}')`
  throw new Problem('invalid', 'InvalidTransactionId', `parameter 1 ${wrong}. Code:-8`)
}

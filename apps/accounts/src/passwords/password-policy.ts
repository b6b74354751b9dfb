import { Problem } from '@trestle/problem/problem'
import { isCommonPassword } from './common-passwords.js'

/** Whose password it is: the owner's own name is no secret. */
export interface PasswordOwner {
  readonly email: string
  readonly displayName: string
}

// NIST SP 800-63B-4 section 3.1.1.2: at least 15 characters where the password is the only factor, and no rules about which.
const MIN_CHARACTERS = 15
const MAX_BYTES = 1024
const MIN_DISTINCT = 5
const MIN_RUNS = 5
const MIN_REMAINDER = 8
const PRODUCT = 'trestle'

const LINES = ['abcdefghijklmnopqrstuvwxyz', '1234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']
const COLUMNS = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol', '0p', '0987654321']
const NEIGHBOURS = new Set(
  [...LINES, ...COLUMNS].flatMap((line) => [...line].slice(1).flatMap((key, at) => [line[at] + key, key + line[at]])),
)

/** Whether it is too long to hash; checked for every password, also for one that is only compared. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_BYTES
}

/** Problem `WeakPassword` for a password that could be guessed. A password is never shortened, trimmed or changed in case. */
export function requireStrong(password: string, owner: PasswordOwner): void {
  const weakness = weaknessOf(password, owner)
  if (weakness) throw new Problem('invalid', 'WeakPassword', weakness)
}

export function stolenPassword(): Problem {
  const detail =
    'This password is in a list of stolen passwords, which attackers try first. Choose another, and change it wherever else you use it.'
  return new Problem('invalid', 'WeakPassword', detail)
}

function weaknessOf(password: string, owner: PasswordOwner): string | undefined {
  const characters = [...password]
  if (characters.length < MIN_CHARACTERS) return `A password needs at least ${MIN_CHARACTERS} characters; a few words in a row are fine.`
  if (isTooLong(password)) return `A password may have at most ${MAX_BYTES} bytes.`
  if (password.trim() === '') return 'A password needs something besides spaces.'
  if (new Set(characters).size < MIN_DISTINCT) return `A password needs at least ${MIN_DISTINCT} different characters.`
  if (isRepetition(characters)) return 'This password repeats a shorter one; the repetition adds nothing.'
  if (countRuns(password) < MIN_RUNS) return 'This password is a run of neighbouring keys, letters or digits.'
  if (isMostlyContext(password, owner)) return `This password is little more than your name, your e-mail address or "${PRODUCT}".`
  return isCommonPassword(password) ? 'This password is a very common one, or one made a little longer.' : undefined
}

/** Whether it repeats a text of fewer than 15 characters, possibly cut off at the end. */
function isRepetition(characters: readonly string[]): boolean {
  const periods = Array.from({ length: MIN_CHARACTERS - 1 }, (_, index) => index + 1)
  return periods.some(
    (period) => period * 2 <= characters.length && characters.every((character, at) => character === characters[at % period]),
  )
}

/** How many runs it has in which each key is the same as the last or next to it: `qwertyasdf` has two. */
function countRuns(password: string): number {
  const keys = [...password.toLowerCase()]
  return keys.filter((key, at) => key !== keys[at - 1] && !NEIGHBOURS.has(`${keys[at - 1]}${key}`)).length
}

function isMostlyContext(password: string, { email, displayName }: PasswordOwner): boolean {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const names = [email, local, domain, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split('.'), ...displayName.split(/\s+/), PRODUCT]
  const words = names.map((name) => name.toLowerCase()).filter((name) => name.length >= 3)
  // Longest first, so that an address is removed as a whole.
  const rest = words.toSorted((a, b) => b.length - a.length).reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && [...rest].length < MIN_REMAINDER
}

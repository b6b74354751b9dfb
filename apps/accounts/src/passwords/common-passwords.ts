import { dictionary } from '@zxcvbn-ts/language-common'

// Leaked passwords, most frequent first. Hardly any has 15 characters: people lengthen a short one.
const LEAKED: readonly string[] = dictionary['passwords-common']
const LISTED = new Set(LEAKED)
const FREQUENT = new Set(LEAKED.slice(0, 1000))

// With more digits and symbols around it than this, any word is hard to guess.
const MAX_PADDING = 12
const LEET: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }

/**
 * Whether this is a common password, or one lengthened in the usual ways: digits and symbols around and inside it, letters
 * written as digits, or two very common passwords in a row.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const core = lower.replace(/^\P{L}+|\P{L}+$/gu, '')
  if (LISTED.has(lower)) return true
  return lower.length - core.length <= MAX_PADDING && (isLengthened(core) || isLengthened(unleet(core)))
}

function isLengthened(core: string): boolean {
  const letters = core.replace(/\P{L}/gu, '')
  return LISTED.has(core) || LISTED.has(letters) || isTwoFrequent(letters)
}

function isTwoFrequent(letters: string): boolean {
  for (let cut = 1; cut < letters.length; cut++) {
    if (FREQUENT.has(letters.slice(0, cut)) && FREQUENT.has(letters.slice(cut))) return true
  }
  return false
}

function unleet(text: string): string {
  return text.replace(/[@4310$57]/g, (sign) => LEET[sign] ?? sign)
}

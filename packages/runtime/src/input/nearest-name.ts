import { closest } from '@trestle/problem/closest'

const MAX_LENGTH = 64

/** The known name that was probably meant: spelt in another way, with letters swapped or a few wrong ones, or cut short. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined
  const letters = lettersOf(typed)
  const spelt = names.find((name) => lettersOf(name) === letters)
  const swapped = names.find((name) => sorted(lettersOf(name)) === sorted(letters))
  return spelt ?? swapped ?? closest(typed, names) ?? names.find((name) => letters.length > 2 && lettersOf(name).startsWith(letters))
}

function sorted(letters: string): string {
  return [...letters].sort().join('')
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

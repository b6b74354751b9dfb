// BIP 380: a code over the positions of the characters in these three groups of 32.
const CHARACTERS = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn]
const LENGTH = 8

/** The eight characters that may follow a descriptor's `#`; undefined where it has a character that no descriptor has. */
export function descriptorChecksum(text: string): string | undefined {
  const places = Array.from(text, (character) => CHARACTERS.indexOf(character))
  if (places.includes(-1)) return undefined
  const code = remainder([...symbolsOf(places), ...new Array(LENGTH).fill(0)]) ^ 1n
  return Array.from({ length: LENGTH }, (_, i) => DIGITS[Number((code >> BigInt(5 * (LENGTH - 1 - i))) & 31n)]).join('')
}

/** Where each character is in its group; after every third, in which groups the three are. */
function* symbolsOf(places: readonly number[]): Iterable<number> {
  for (let first = 0; first < places.length; first += 3) {
    const three = places.slice(first, first + 3)
    yield* three.map((place) => place & 31)
    yield three.reduce((groups, place) => 3 * groups + (place >> 5), 0)
  }
}

function remainder(symbols: readonly number[]): bigint {
  return symbols.reduce((code, symbol) => {
    const top = code >> 35n
    const shifted = ((code & 0x7ffffffffn) << 5n) ^ BigInt(symbol)
    return GENERATOR.reduce((sum, factor, i) => ((top >> BigInt(i)) & 1n ? sum ^ factor : sum), shifted)
  }, 1n)
}

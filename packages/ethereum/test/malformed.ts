import { InvalidEthereumData } from '../src/malformed.js'

/** Any error but the one that parsers may throw flies on. */
export function isParsed(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    if (!(error instanceof InvalidEthereumData)) throw error
    return false
  }
}

export function expectParsedOrMalformed(parse: () => unknown): void {
  isParsed(parse)
}

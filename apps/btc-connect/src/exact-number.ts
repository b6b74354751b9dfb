import type { ExactNumber } from '@trestle/contracts/endpoint'

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber
  }
}

const PLACES = 8

/** A number in a JSON response, digit for digit. */
export function exactNumber(digits: string): ExactNumber {
  return JSON.rawJSON(digits)
}

/** An amount in satoshis, exact beyond 2^53. */
export function inSatoshis(satoshis: bigint): ExactNumber {
  return exactNumber(String(satoshis))
}

/** The same in coins: 1 satoshi is 0.00000001. */
export function inCoins(satoshis: bigint): ExactNumber {
  return exactNumber(coinText(satoshis).replace(/\.?0+$/, ''))
}

/** In coins, with all 8 places. */
export function coinText(satoshis: bigint): string {
  const digits = String(satoshis < 0n ? -satoshis : satoshis).padStart(PLACES + 1, '0')
  return `${satoshis < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

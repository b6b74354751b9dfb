import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { formatCoins, sumOf } from '../parts/amount.js'

const COIN_DECIMALS = 8

/** Coins as the API writes them, in satoshis. `toFixed` is exact: it finds the 8 decimals that the number stands for. */
export function parseCoins(value: number | string): bigint {
  const text = typeof value === 'number' ? value.toFixed(COIN_DECIMALS) : value
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`${text} is no amount of coins`)
  return BigInt(sign + whole + fraction.padEnd(COIN_DECIMALS, '0'))
}

/** Satoshis in coins. A number that is too large to have come exactly is told as what it is: about so much. */
export function formatSatoshis(value: number | bigint): string {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
  return (isExact ? '' : '≈ ') + formatCoins(BigInt(value), COIN_DECIMALS)
}

/** With its sign, also where it is more than nothing. */
export function formatChange(value: bigint): string {
  return (value > 0n ? '+' : '') + formatSatoshis(value)
}

/** Satoshis a byte, cut after two decimals. */
export function feeRate({ fees, size }: Pick<InsightTransaction, 'fees' | 'size'>): string | undefined {
  return fees === undefined || size === 0 ? undefined : formatCoins((parseCoins(fees) * 100n) / BigInt(size), 2)
}

/** An estimate, in coins a kilobyte, as satoshis a byte; the node says -1 where it cannot tell. */
export function estimatedRate(estimate: number): number | undefined {
  return estimate < 0 ? undefined : Number(parseCoins(estimate)) / 1000
}

/** What a transaction does to the balance of an address. */
export function effectOn(address: string, { vin, vout }: Pick<InsightTransaction, 'vin' | 'vout'>): bigint {
  const gained = vout.filter(({ scriptPubKey }) => scriptPubKey.addresses.length === 1 && scriptPubKey.addresses[0] === address)
  const spent = vin.filter((input) => 'addr' in input && input.addr === address)
  return (
    sumOf(gained.map(({ value }) => parseCoins(value))) - sumOf(spent.map((input) => parseCoins(('value' in input && input.value) || 0)))
  )
}

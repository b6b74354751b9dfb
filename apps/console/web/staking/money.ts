import { formatCoins } from '../parts/amount.js'

/** Wei as ETH, exactly; lists cut it to a number of decimals. */
export function formatEth(wei: string | bigint, shown?: number): string {
  return `${formatCoins(wei, 18, shown)} ETH`
}

/** How high to draw an amount: only pictures may round. */
export function ethHeight(wei: bigint): number {
  return Number(wei / 1_000_000_000n) / 1e9
}

const drawn = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
export const ethLabel = (value: number) => (value === 0 ? '0' : `${drawn.format(value)}`)

const percents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function formatPercent(value: number): string {
  return `${percents.format(value)} %`
}

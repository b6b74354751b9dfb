/** A whole number of the smallest unit as the coin, exactly: `1500000000` with 8 decimals is `15`. At most `shown` decimals, cut, not rounded. */
export function formatCoins(amount: string | bigint, decimals: number, shown = decimals): string {
  const value = BigInt(amount)
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = digits.slice(-decimals).slice(0, shown).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}

export function sumOf(amounts: readonly (string | bigint)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount), 0n)
}

const counted = new Intl.NumberFormat('en')

export function formatCount(value: number): string {
  return counted.format(value)
}

export function formatBytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), units.length - 1)
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value / 1000 ** step)} ${units[step]}`
}

import { chainNamed, unitOf } from '@trestle/contracts/chains/chains'

/** Digits of the smallest unit as a decimal number, exact, without zeros at its end. */
export function decimal(amount: string | number | bigint, places: number): string {
  const units = BigInt(amount)
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const part = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${part ? `.${part}` : ''}`
}

/** Wei in ETH. */
export function ether(wei: string | bigint): string {
  return `${decimal(wei, 18)} ETH`
}

/** Wei in ETH, and in wei. */
export function etherAndWei(wei: string): string {
  return `${ether(wei)} (${wei} wei)`
}

/** Satoshis in coins. */
export function coins(satoshis: number, chain: string): string {
  return `${decimal(satoshis, chainNamed(chain)?.decimals ?? 8)} ${unitOf(chain)}`
}

/** Satoshis in coins, and in satoshis. */
export function coinsAndSatoshis(satoshis: number, chain: string): string {
  return `${coins(satoshis, chain)} (${satoshis} satoshis)`
}

const BYTES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size, in the unit in which it is easily read. */
export function bytesText(bytes: number): string {
  const power = Math.min(BYTES.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${BYTES[power]}`
}

import { invalidParams } from '../framing/rpc-error.js'
import { jsonKind } from '../methods/hex-faults.js'

/** How long to wait for a receipt: the second param of `eth_sendRawTransactionSync`, which EIP-7966 has as a number, and geth as a quantity. */
export function timeoutOf(value: unknown, maxMs: number): number {
  const given = value ?? 0
  const ms = typeof given === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(given) ? Number(given) : given
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0)
    throw invalidParams(`invalid argument 1: a timeout in milliseconds is a quantity, not a ${jsonKind(value)}`)
  return ms === 0 ? maxMs : Math.min(ms, maxMs)
}

/** As Go writes it: 1.5s, 20s, 500ms. */
export function goDuration(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`
}

export function blockNumberOfReceipt(json: string): number {
  const { blockNumber }: { blockNumber?: unknown } = JSON.parse(json)
  return typeof blockNumber === 'string' ? Number(blockNumber) : 0
}

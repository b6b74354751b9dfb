import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import type { OutputLock } from './locks.js'
import { consoleCoins } from './node-console.js'

/** An output that can be spent. */
export interface SpendableCoin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly lock: OutputLock
}

export interface PaidOutput {
  readonly value: bigint
  readonly lock: Pick<OutputLock, 'script'>
}

export interface RawPayment {
  readonly coins: readonly SpendableCoin[]
  readonly paid: readonly PaidOutput[]
  readonly version?: number
  readonly lockTime?: number
}

// May be replaced by a better paid one (BIP 125).
const SEQUENCE = 0xfffffffd
const FEE_PER_BYTE = 12n

export function outpointOf({ txid, vout }: { readonly txid: string; readonly vout: number }): string {
  return `${txid}:${vout}`
}

export function sumOfCoins(parts: readonly { readonly value: bigint }[]): bigint {
  return parts.reduce((total, { value }) => total + value, 0n)
}

/** Enough for a payment of so many inputs and outputs, whatever their kinds. */
export function feeOf(inputs: number, outputs: number): bigint {
  return BigInt(100 + 260 * inputs + 60 * outputs) * FEE_PER_BYTE
}

/** Whether nobody has to sign it. */
export function hasOpenLock({ coins }: RawPayment): boolean {
  return coins.every(({ lock }) => lock.opening)
}

/** The bytes of a payment, with what opens the coins that nobody signs for. */
export function serialized({ coins, paid, version = 2, lockTime = 0 }: RawPayment): Buffer {
  const hasWitness = coins.some(({ lock }) => lock.opening?.witness.length)
  const inputs = coins.map(({ txid, vout, lock }) => {
    const scriptSig = lock.opening?.scriptSig ?? Buffer.alloc(0)
    return Buffer.concat([Buffer.from(txid, 'hex').reverse(), number(vout, 4), counted(scriptSig), number(SEQUENCE, 4)])
  })
  const outputs = paid.map(({ value, lock }) => Buffer.concat([number(value, 8), counted(lock.script)]))
  // BIP 144
  const witnesses = coins.map(({ lock }) => {
    const items = lock.opening?.witness ?? []
    return Buffer.concat([count(items.length), ...items.map(counted)])
  })
  return Buffer.concat([
    number(version, 4),
    ...(hasWitness ? [Buffer.of(0, 1)] : []),
    count(inputs.length),
    ...inputs,
    count(outputs.length),
    ...outputs,
    ...(hasWitness ? witnesses : []),
    number(lockTime, 4),
  ])
}

/** Asks a node, which need not know the coins, to sign. */
export function signingCall(payment: RawPayment): RpcInvocation {
  const keys = new Set(payment.coins.flatMap(({ lock }) => lock.keys))
  const spent = payment.coins.map(({ txid, vout, value, lock }) => ({
    txid,
    vout,
    amount: consoleCoins(value),
    scriptPubKey: lock.script.toString('hex'),
    redeemScript: lock.redeemScript?.toString('hex'),
    witnessScript: lock.witnessScript?.toString('hex'),
  }))
  return ['signrawtransactionwithkey', serialized(payment).toString('hex'), [...keys], spent]
}

function counted(data: Buffer): Buffer {
  return Buffer.concat([count(data.length), data])
}

function count(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value)
  return value <= 0xffff ? Buffer.of(0xfd, value & 0xff, value >> 8) : Buffer.concat([Buffer.of(0xfe), number(value, 4)])
}

function number(value: number | bigint, bytes: 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}

import { sha256d } from '@trestle/bitcoin/hash'
import type { RpcInvocation } from './node-rpc.js'
import type { Owner } from './owners.js'

/** An output that can be spent, and by whom. */
export interface SpendableOutput {
  /** As people write it. */
  readonly txid: string
  readonly vout: number
  /** In the chain's smallest unit. */
  readonly value: bigint
  readonly owner: Owner
}

export interface PaymentOutput {
  readonly value: bigint
  readonly script: Buffer
}

export interface Payment {
  readonly coins: readonly SpendableOutput[]
  readonly outputs: readonly PaymentOutput[]
}

const VERSION = 2
// May be replaced by a better paid one (BIP 125), as most wallets' may.
const SEQUENCE = 0xfffffffd

/** Asks the node to sign it; it need not know the coins. */
export function paymentSigningCall(payment: Payment): RpcInvocation {
  const keys = new Set(payment.coins.map(({ owner }) => owner.key.wif))
  const spent = payment.coins.map(({ txid, vout, value, owner: { script, redeemScript, witnessScript } }) => ({
    txid,
    vout,
    amount: decimalCoins(value),
    scriptPubKey: script.toString('hex'),
    redeemScript: redeemScript?.toString('hex'),
    witnessScript: witnessScript?.toString('hex'),
  }))
  return ['signrawtransactionwithkey', serializeUnsigned(payment).toString('hex'), [...keys], spent]
}

/** The transaction without signatures. */
export function serializeUnsigned({ coins, outputs }: Payment): Buffer {
  const inputs = coins.map(({ txid, vout }) => [Buffer.from(txid, 'hex').reverse(), number(vout, 4), count(0), number(SEQUENCE, 4)])
  const paid = outputs.map(({ value, script }) => [number(value, 8), count(script.length), script])
  const parts = [number(VERSION, 4), count(coins.length), ...inputs.flat(), count(outputs.length), ...paid.flat(), number(0, 4)]
  return Buffer.concat(parts)
}

/** The id it has when it is signed, if all its signatures are witnesses (BIP 141). */
export function txidOf(payment: Payment): string {
  return sha256d(serializeUnsigned(payment)).reverse().toString('hex')
}

export function sumOfOutputs(parts: readonly { readonly value: bigint }[]): bigint {
  return parts.reduce((total, { value }) => total + value, 0n)
}

/** `0.00000001` for 1. */
export function decimalCoins(value: bigint): string {
  const digits = value.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/** 1 for `1e-8`: what a node says, as JSON reads it. */
export function smallestUnits(amount: number): bigint {
  return BigInt(Math.round(amount * 1e8))
}

function number(value: number | bigint, bytes: 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}

function count(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  return Buffer.from([0xfd, value & 0xff, value >> 8])
}

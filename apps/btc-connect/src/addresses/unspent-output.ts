import { MAX_UNSPENT_OUTPUTS, type UnspentOutput } from '@trestle/contracts/btc-connect/addresses'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { inCoins, inSatoshis } from '../exact-number.js'

export interface ConfirmedOutput {
  readonly key: string
  readonly txId: number
  readonly txid: Buffer
  readonly vout: number
  readonly value: bigint
  /** Only if it differs from the script of its address. */
  readonly ownScript?: Buffer
  readonly height: number
  /** Of the block. */
  readonly time: number
}

export interface UnconfirmedOutput {
  readonly key: string
  readonly txid: Buffer
  readonly vout: number
  readonly value: bigint
  readonly script: Buffer
  readonly firstSeen: number
}

/** The range of blocks whose outputs are requested. */
export interface Heights {
  readonly minHeight?: number
  readonly maxHeight?: number
}

export function isBounded({ minHeight, maxHeight }: Heights): boolean {
  return minHeight !== undefined || maxHeight !== undefined
}

/** Refuses a list that would be too long. */
export function requireListable(count: number): void {
  if (count <= MAX_UNSPENT_OUTPUTS) return
  throw new Problem(
    'invalid',
    'TooManyOutputs',
    `There are more than ${MAX_UNSPENT_OUTPUTS} unspent outputs: ask for fewer addresses, or for fewer blocks with minHeight and maxHeight.`,
  )
}

/** Newest first; the outputs of one transaction in its order. */
export function inOrder(outputs: readonly ConfirmedOutput[]): ConfirmedOutput[] {
  return outputs.toSorted((a, b) => b.txId - a.txId || a.vout - b.vout)
}

interface Owner {
  readonly address: string
  readonly script: Buffer
}

export function toConfirmed(output: ConfirmedOutput, { address, script }: Owner, tipHeight: number): WritableReply<UnspentOutput> {
  const { txid, vout, value, ownScript = script, height, time } = output
  return {
    address,
    txid: txid.toString('hex'),
    vout,
    scriptPubKey: ownScript.toString('hex'),
    amount: inCoins(value),
    satoshis: inSatoshis(value),
    height,
    confirmations: tipHeight - height + 1,
    ts: time,
  }
}

export function toUnconfirmed({ txid, vout, value, script, firstSeen }: UnconfirmedOutput, address: string): WritableReply<UnspentOutput> {
  return {
    address,
    txid: txid.toString('hex'),
    vout,
    scriptPubKey: script.toString('hex'),
    amount: inCoins(value),
    satoshis: inSatoshis(value),
    confirmations: 0,
    ts: firstSeen,
  }
}

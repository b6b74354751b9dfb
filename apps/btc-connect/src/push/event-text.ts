import { parseHeader } from '@trestle/bitcoin/block'
import type { Coin } from '@trestle/bitcoin/chain-rules'
import { parseTransaction } from '@trestle/bitcoin/transaction'
import type { AddressEvent, BlockEvent, EventName, TransactionEvent } from '@trestle/contracts/btc-connect/events'
import type { WritableReply } from '@trestle/contracts/endpoint'
import type { z } from 'zod'
import { inCoins } from '../exact-number.js'

export interface NewBlock {
  readonly height: number
  readonly hash: Buffer
  readonly header: Buffer
  readonly time: number
  readonly size: number
  readonly txCount: number
  readonly firstTxId: number
}

export interface NewTransaction {
  readonly txid: Buffer
  readonly raw: Buffer
  readonly firstSeen: number
}

/** A transaction that pays an owner or spends the owner's outputs. */
export interface ScriptTouch {
  readonly key: string
  readonly txid: Buffer
}

type Data<E extends z.ZodType> = WritableReply<z.infer<E>>

/** With the id that a client sends when it reconnects. */
export function blockEventText(block: NewBlock): string {
  const { height, hash, header, time, size, txCount } = block
  const data: Data<typeof BlockEvent> = {
    hash: hash.toString('hex'),
    height,
    previousblockhash: parseHeader(header).previousHash.toString('hex'),
    time,
    size,
    txlength: txCount,
  }
  return `${idLine(hash)}${eventText('block', data)}`
}

export function transactionEventText({ raw, firstSeen }: NewTransaction, coin: Coin): string {
  const { txid, outputs } = parseTransaction(raw, coin)
  const valueOut = outputs.reduce((sum, { value }) => sum + value, 0n)
  const data: Data<typeof TransactionEvent> = { txid: txid.toString('hex'), valueOut: inCoins(valueOut), size: raw.length, time: firstSeen }
  return eventText('tx', data)
}

/** Without a block, the transaction is in the mempool. */
export function addressEventText(address: string, txid: Buffer, block?: Pick<NewBlock, 'height' | 'hash'>): string {
  const data: Data<typeof AddressEvent> = {
    address,
    txid: txid.toString('hex'),
    blockheight: block?.height ?? -1,
    ...(block && { blockhash: block.hash.toString('hex') }),
  }
  return eventText('address', data)
}

const RETRY_MS = 2000

/** The start of a stream: a client that loses it at once resumes at the block where it started. */
export function openingText(tipHash: Buffer): string {
  return `retry: ${RETRY_MS}\n${idLine(tipHash)}\n`
}

/** A comment: keeps proxies from closing an idle connection. */
export const HEARTBEAT = ':\n\n'

function idLine(hash: Buffer): string {
  return `id: ${hash.toString('hex')}\n`
}

// JSON contains no line break: one line of data is enough.
function eventText(event: EventName, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

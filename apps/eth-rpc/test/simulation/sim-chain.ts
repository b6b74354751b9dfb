import { createHash } from 'node:crypto'
import { headerHash } from '../../src/integrity/header-hash.js'
import { bloomOf } from '../../src/integrity/logs-bloom.js'

export interface SimLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly logIndex: string
  readonly removed: false
}

export interface SimBlock {
  readonly number: number
  readonly hash: string
  readonly parent?: SimBlock
  /** As `eth_getBlockByNumber` shows it. */
  readonly shown: Readonly<Record<string, unknown>>
  /** Their hashes: first those with a log, then those that callers have sent. */
  readonly transactions: readonly string[]
  readonly logs: readonly SimLog[]
  /** How many transactions each sender has on this chain. */
  readonly nonces: Readonly<Record<string, number>>
}

/** What a caller has sent. */
export interface SimTransaction {
  readonly hash: string
  readonly sender: string
  readonly nonce: number
}

interface BlockContents {
  readonly salt: unknown
  readonly timestamp: number
  readonly logs: number
  readonly sent?: readonly SimTransaction[]
}

export const TOKEN = `0x${'70'.repeat(20)}`
const TOPIC = digest('topic')
const EMPTY = digest('empty')

/** A block on that parent, with so many logs; the same for the same arguments. */
export function simBlock(parent: SimBlock | undefined, { salt, timestamp, logs, sent = [] }: BlockContents): SimBlock {
  const number = parent ? parent.number + 1 : 0
  const withLogs = Array.from({ length: logs }, (_, index) => digest('transaction', parent?.hash, salt, index))
  const transactions = [...withLogs, ...sent.map(({ hash }) => hash)]
  const entries = withLogs.map((transactionHash, index) => ({
    ...{ address: TOKEN, topics: [TOPIC], data: '0x', transactionHash },
    ...{ transactionIndex: quantity(index), logIndex: quantity(index), removed: false as const },
  }))
  const header = {
    parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
    sha3Uncles: EMPTY,
    miner: `0x${'11'.repeat(20)}`,
    stateRoot: digest('state', parent?.hash, salt, ...transactions),
    transactionsRoot: EMPTY,
    receiptsRoot: EMPTY,
    logsBloom: bloomOf(entries),
    difficulty: '0x0',
    number: quantity(number),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: quantity(timestamp),
    extraData: '0x',
    mixHash: EMPTY,
    nonce: '0x0000000000000000',
  }
  const hash = headerHash(header) ?? ''
  const place = { blockNumber: quantity(number), blockHash: hash }
  const shown = { ...header, hash, transactions, uncles: [], size: '0x220' }
  const nonces = { ...parent?.nonces, ...Object.fromEntries(sent.map(({ sender, nonce }) => [sender, nonce + 1])) }
  return { number, hash, parent, shown, transactions, nonces, logs: entries.map((entry) => ({ ...entry, ...place })) }
}

/** The block of that chain at that height. */
export function ancestorAt<B extends { readonly number: number; readonly parent?: B }>(head: B, number: number): B | undefined {
  let block: B | undefined = head
  while (block && block.number > number) block = block.parent
  return block?.number === number ? block : undefined
}

export function quantity(number: number): string {
  return `0x${number.toString(16)}`
}

export function digest(...parts: unknown[]): string {
  return `0x${createHash('sha256').update(parts.join()).digest('hex')}`
}

import { textAfter } from '../cache/named-block.js'
import type { ChainBlock } from '../heads/followed-chain.js'
import type { LogCriteria } from '../methods/log-criteria.js'
import type { AnswerCheck, CheckedChain } from './answer-check.js'
import { mayMatch, parseBloom } from './logs-bloom.js'
import type { Suspicion } from './suspicion.js'

interface LogsCall {
  readonly criteria: LogCriteria
  readonly range: { readonly fromBlock: number; readonly toBlock: number } | { readonly blockHash: string }
}

/** A node that has a block may need so long until it has its logs. */
const EARLY_MS = 60_000
const BLOCK_NUMBER = Buffer.from('"blockNumber"')
const BLOCK_HASH = Buffer.from('"blockHash"')
const EMPTY = 2

/** Holds logs against what was asked for, and what is missing against the blooms of the blocks that we know. `now` is the time of `receivedAt`. */
export function logCheckOf({ criteria, range }: LogsCall, chain: CheckedChain, now: number): AnswerCheck {
  const suspect = (block: ChainBlock) => (mayHave(block, criteria) ? ageOf(block, now) : undefined)
  if ('blockHash' in range) return (json) => ofBlock(json, range.blockHash, chain.byHash(range.blockHash), suspect)
  const { fromBlock, toBlock } = range
  return (json) => {
    const found = numbersIn(json)
    for (const number of found) if (!(number >= fromBlock && number <= toBlock)) return 'wrong'
    const newest = newestBlocks(chain, fromBlock, toBlock)
    // Where there is something, only what is new may not be there yet.
    const isDue = (block: ChainBlock) => !found.has(block.number) && (found.size === 0 || ageOf(block, now) === 'early')
    return worst(newest.filter(isDue).map(suspect))
  }
}

type Suspect = (block: ChainBlock) => Suspicion | undefined

function ofBlock(json: Buffer, hash: string, ours: ChainBlock | undefined, suspect: Suspect): Suspicion | undefined {
  if (json.length > EMPTY) return (textAfter(BLOCK_HASH, json) ?? hash).toLowerCase() === hash ? undefined : 'wrong'
  return ours && suspect(ours)
}

/** Those that we know. */
function newestBlocks(chain: CheckedChain, fromBlock: number, toBlock: number): ChainBlock[] {
  const blocks: ChainBlock[] = []
  for (let number = toBlock, block = chain.at(number); block && number >= fromBlock; block = chain.at(--number)) blocks.push(block)
  return blocks
}

function worst(suspicions: readonly (Suspicion | undefined)[]): Suspicion | undefined {
  return suspicions.includes('early') ? 'early' : suspicions.find((suspicion) => suspicion)
}

function ageOf({ receivedAt }: ChainBlock, now: number): 'early' | 'doubtful' {
  return now - receivedAt < EARLY_MS ? 'early' : 'doubtful'
}

function numbersIn(json: Buffer): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (let at = json.indexOf(BLOCK_NUMBER); at >= 0; at = json.indexOf(BLOCK_NUMBER, at + BLOCK_NUMBER.length)) {
    numbers.add(Number(textAfter(BLOCK_NUMBER, json, at)))
  }
  return numbers
}

const blooms = new WeakMap<ChainBlock, { readonly bloom?: Buffer }>()
const BLOOM_MEMBER = '"logsBloom":"'
const BLOOM_LENGTH = 2 + 2 * 256

/** False only where the block certainly has no such log. */
function mayHave(block: ChainBlock, criteria: LogCriteria): boolean {
  const { bloom } = blooms.get(block) ?? readBloom(block)
  return bloom !== undefined && mayMatch(bloom, criteria)
}

function readBloom(block: ChainBlock): { readonly bloom?: Buffer } {
  const at = block.header.indexOf(BLOOM_MEMBER)
  const from = at + BLOOM_MEMBER.length
  const read = { bloom: at < 0 ? undefined : parseBloom(block.header.slice(from, from + BLOOM_LENGTH)) }
  blooms.set(block, read)
  return read
}

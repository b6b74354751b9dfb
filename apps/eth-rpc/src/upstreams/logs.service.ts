import { Injectable } from '@nestjs/common'
import { CallAbort, type CallSignal } from '../call-signal.js'
import { type Outcome, resultOf } from '../framing/outcome.js'
import { CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import { HeadFeed } from '../heads/head-feed.js'
import { logCriteria } from '../methods/log-criteria.js'
import { Calls } from './calls.service.js'
import { joinArrays } from './joined-arrays.js'
import { type BlockRange, halvesOf, type LogFilter, type LogLimits, paramsOf, piecesOf, rangeWithin } from './log-filter.js'
import { meaningOf } from './node-error.js'
import { knownMethod } from './upstream-request.js'

const GET_LOGS = knownMethod('eth_getLogs')
/** What any node searches in one go. */
const PIECE_BLOCKS = 2_000
const PIECES_AT_ONCE = 5
const MAX_BYTES = 32 * 1024 * 1024

/** One search under way. */
interface Search {
  readonly filter: LogFilter
  readonly limits: LogLimits
  /** Aborted when one of its pieces has failed. */
  readonly signal: CallSignal
  bytes: number
}

/** What a node said to one piece is the answer to the whole. */
class Refused extends Error {
  constructor(readonly outcome: Outcome) {
    super()
  }
}

/** Searches logs: a range too long for one node to search in one go is searched in pieces. */
@Injectable()
export class LogsService {
  constructor(
    private readonly calls: Calls,
    private readonly feed: HeadFeed,
  ) {}

  async logs(filter: LogFilter, limits: LogLimits): Promise<Outcome> {
    logCriteria(filter)
    if ('blockHash' in filter) return this.ofBlock(filter, limits)
    const { head } = this.feed.chain
    if (!head) throw unavailable('no upstream can answer now')
    const range = rangeWithin(filter, head.number, limits.blocks)
    return range ? this.ofRange(filter, range, limits) : resultOf([])
  }

  private ofBlock(filter: LogFilter & { blockHash: string }, { timeoutMs, signal }: LogLimits): Promise<Outcome> {
    const block = this.feed.chain.byHash(filter.blockHash)?.number
    return this.calls.call({ method: GET_LOGS, paramsJson: JSON.stringify([filter]), block, timeoutMs, signal })
  }

  private async ofRange(filter: LogFilter, range: BlockRange, limits: LogLimits): Promise<Outcome> {
    const signal = new CallAbort()
    limits.signal?.addEventListener('abort', signal, { once: true })
    const last = this.feed.chain.at(range.toBlock)?.hash
    try {
      const found = await this.pieces(range, { filter, limits, signal, bytes: 0 })
      const json = joinArrays(found)
      if (!json) throw unavailable('an upstream answers with something else than logs')
      // The pieces of two branches are no answer.
      if (found.length > 1 && this.feed.chain.at(range.toBlock)?.hash !== last)
        throw unavailable('the chain has changed meanwhile; ask again')
      return { member: 'result', json }
    } catch (error) {
      if (error instanceof Refused) return error.outcome
      throw error
    } finally {
      limits.signal?.removeEventListener('abort', signal)
      signal.abort()
    }
  }

  private async pieces(range: BlockRange, search: Search): Promise<Buffer[]> {
    const pieces = piecesOf(range, PIECE_BLOCKS)
    const found: Buffer[][] = []
    let next = 0
    const searchOn = async () => {
      for (let i = next++; i < pieces.length && !search.signal.aborted; i = next++)
        found[i] = await this.piece(pieces[i] as BlockRange, search)
    }
    await Promise.all(Array.from({ length: Math.min(PIECES_AT_ONCE, pieces.length) }, searchOn))
    return found.flat()
  }

  private async piece(range: BlockRange, search: Search): Promise<Buffer[]> {
    const { filter, limits, signal } = search
    const { timeoutMs } = limits
    const { member, json } = await this.calls.call({
      method: GET_LOGS,
      paramsJson: paramsOf(filter, range),
      block: range.toBlock,
      timeoutMs,
      signal,
    })
    if (member === 'error') return this.inHalves({ member, json }, range, search)
    search.bytes += json.length
    if (search.bytes > MAX_BYTES) throw tooMuch()
    return [json]
  }

  /** A node may search less in one go, or have found too much for one answer. */
  private async inHalves(refusal: Outcome, range: BlockRange, search: Search): Promise<Buffer[]> {
    const isTooMuch = meaningOf(JSON.parse(refusal.json.toString())) === 'range-too-large'
    if (!isTooMuch || range.fromBlock === range.toBlock) throw new Refused(refusal)
    const [lower, upper] = halvesOf(range)
    return [...(await this.piece(lower, search)), ...(await this.piece(upper, search))]
  }
}

function tooMuch(): RpcFailure {
  const message = `more than ${MAX_BYTES} bytes of logs; ask for fewer blocks, or name an address or a topic`
  return new RpcFailure({ code: CODE.limit, message })
}

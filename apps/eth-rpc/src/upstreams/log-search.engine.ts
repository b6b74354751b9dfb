import { CallAbort } from '../call-signal.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import { parseChainBlock } from '../heads/header.js'
import { type AnswerCheck, answerCheckOf } from '../integrity/answer-check.js'
import { headerHash } from '../integrity/header-hash.js'
import { logCheckOf } from '../integrity/log-check.js'
import { type LogCriteria, logCriteria } from '../methods/log-criteria.js'
import { joinArrays } from './joined-arrays.js'
import { type BlockNumberRange, checkRange, halvesOf, type LogFilter, type LogLimits, paramsOf, splitRange } from './log-filter.js'
import { meaningOf } from './node-error.js'
import { isNull, knownMethod, type Upstreams } from './upstream-request.js'

const GET_LOGS = knownMethod('eth_getLogs')
const GET_BLOCK = knownMethod('eth_getBlockByHash')
/** What any node searches in one call. */
const MAX_CALL_BLOCKS = 2_000
const MAX_CONCURRENT_CALLS = 5
const NEW_BLOCKS = 128
const MAX_BYTES = 32 * 1024 * 1024
const EMPTY_LENGTH = 2

/** The error of a node for a part of the search is the answer to all of it. */
class Refused extends Error {
  constructor(readonly outcome: CallOutcome) {
    super()
  }
}

/** One search of logs. A range too long for one node to search in one call is searched in parts. */
export class LogSearch {
  /** Aborted when a part has failed. */
  private readonly signal = new CallAbort()
  private bytes = 0
  private isDoubtful = false
  private readonly by = new Set<string>()
  private readonly criteria: LogCriteria

  constructor(
    private readonly upstreams: Pick<Upstreams, 'call'>,
    private readonly chain: Pick<FollowedChain, 'head' | 'at' | 'byHash'>,
    private readonly filter: LogFilter,
    private readonly limits: LogLimits,
  ) {
    this.criteria = logCriteria(filter)
  }

  async run(): Promise<CallOutcome> {
    const { filter, limits } = this
    if ('blockHash' in filter) return this.ofBlock(filter.blockHash)
    // As geth, where the end is a tag or the first block; other inverted ranges were refused before.
    if (filter.fromBlock > filter.toBlock) return resultOf([])
    const { head } = this.chain
    if (!head) throw unavailable('no upstream can answer now')
    checkRange(filter, head.number, limits.blocks)
    return this.ofRange(filter)
  }

  private checkOf(range: BlockNumberRange): AnswerCheck {
    return logCheckOf({ criteria: this.criteria, range }, this.chain, Date.now())
  }

  private async ofBlock(blockHash: string): Promise<CallOutcome> {
    const known = this.chain.byHash(blockHash)
    const outcome = await this.askForBlock(blockHash, known)
    if (known || !isNone(outcome)) return outcome
    // Nothing of a block that is not ours: its header, which its hash proves, shows whether something is due.
    const block = await this.findBlock(blockHash)
    return block ? this.askForBlock(blockHash, block) : outcome
  }

  private askForBlock(blockHash: string, block: ChainBlock | undefined): Promise<CallOutcome> {
    const { timeoutMs, signal } = this.limits
    const check = logCheckOf({ criteria: this.criteria, range: { blockHash } }, { at: () => undefined, byHash: () => block }, Date.now())
    const paramsJson = JSON.stringify([this.filter])
    const known = this.chain.byHash(blockHash)?.number
    return this.upstreams.call({ method: GET_LOGS, paramsJson, block: known, check, isThorough: true, timeoutMs, signal })
  }

  /** Undefined where its hash does not prove it, as on chains that hash otherwise. */
  private async findBlock(hash: string): Promise<ChainBlock | undefined> {
    const { timeoutMs, signal } = this.limits
    const params = [hash, false]
    const isOther = answerCheckOf({ method: GET_BLOCK, params }, this.chain)
    const check: AnswerCheck = (json) => (isNull(json) ? 'doubtful' : isOther?.(json))
    const question = { method: GET_BLOCK, paramsJson: JSON.stringify(params), check, isThorough: true as const, timeoutMs, signal }
    const { json } = await this.upstreams.call(question)
    if (isNull(json)) throw unavailable('no upstream shows the block that is asked about')
    const shown: Readonly<Record<string, unknown>> = JSON.parse(json.toString())
    if (headerHash(shown) !== hash) return undefined
    const block = parseChainBlock(shown, 0)
    // One that we should know, and do not: it is new, or of another branch.
    return this.chain.head && block.number > this.chain.head.number - NEW_BLOCKS ? { ...block, receivedAt: Date.now() } : block
  }

  private async ofRange(range: BlockNumberRange): Promise<CallOutcome> {
    const { signal } = this.limits
    signal?.addEventListener('abort', this.signal, { once: true })
    const lastHash = this.chain.at(range.toBlock)?.hash
    try {
      const found = await this.searchAll(splitRange(range, MAX_CALL_BLOCKS))
      const json = joinArrays(found)
      if (!json) throw unavailable('an upstream answers with something else than logs')
      // Parts of two branches make no answer.
      if (found.length > 1 && this.chain.at(range.toBlock)?.hash !== lastHash)
        throw unavailable('the chain has changed meanwhile; ask again')
      return { member: 'result', json, by: [...this.by], ...(this.isDoubtful && { doubtful: true }) }
    } catch (error) {
      if (error instanceof Refused) return error.outcome
      throw error
    } finally {
      signal?.removeEventListener('abort', this.signal)
      this.signal.abort()
    }
  }

  private async searchAll(ranges: readonly BlockNumberRange[]): Promise<Buffer[]> {
    const found: Buffer[][] = []
    const remaining = ranges.entries()
    const searchRemaining = async () => {
      for (const [index, range] of remaining) {
        if (this.signal.aborted) return
        found[index] = await this.search(range)
      }
    }
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_CALLS, ranges.length) }, searchRemaining))
    return found.flat()
  }

  private async search(range: BlockNumberRange): Promise<Buffer[]> {
    const { filter, signal, limits } = this
    const paramsJson = paramsOf(filter, range)
    const { timeoutMs } = limits
    const request = {
      method: GET_LOGS,
      paramsJson,
      block: range.toBlock,
      fromBlock: range.fromBlock,
      check: this.checkOf(range),
      isThorough: true as const,
      timeoutMs,
      signal,
    }
    const { member, json, doubtful, by = [] } = await this.upstreams.call(request)
    if (doubtful) this.isDoubtful = true
    for (const name of by) this.by.add(name)
    if (member === 'error') return this.searchHalves({ member, json }, range)
    this.bytes += json.length
    if (this.bytes > MAX_BYTES) throw tooMuch()
    return [json]
  }

  /** A node may search less in one call, or have found too much for one answer. */
  private async searchHalves(refusal: CallOutcome, range: BlockNumberRange): Promise<Buffer[]> {
    const isTooLarge = meaningOf(JSON.parse(refusal.json.toString())) === 'range-too-large'
    if (!isTooLarge || range.fromBlock === range.toBlock) throw new Refused(refusal)
    const [lower, upper] = halvesOf(range)
    return [...(await this.search(lower)), ...(await this.search(upper))]
  }
}

function isNone({ member, json }: CallOutcome): boolean {
  return member === 'result' && json.length === EMPTY_LENGTH
}

function tooMuch(): RpcFailure {
  const message = `more than ${MAX_BYTES} bytes of logs; ask for fewer blocks, or name an address or a topic`
  return new RpcFailure({ code: RPC_CODE.limit, message })
}

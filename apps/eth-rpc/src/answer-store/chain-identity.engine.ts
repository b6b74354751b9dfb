import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import type { CallOutcome } from '../framing/outcome.js'
import type { HeadFeed } from '../heads/head-feed.js'
import { answerCheckOf } from '../integrity/answer-check.js'
import { isNull, knownMethod, type UpstreamRequest } from '../upstreams/upstream-request.js'
import type { AnswerStoreRepository, ChainAnchor, StoredChain } from './answer-store.repository.js'

/** The nodes, as many of which must agree as are asked for. */
export interface AgreeingUpstreams {
  of(size: QuorumSize): { call(request: UpstreamRequest): Promise<CallOutcome> }
}

interface IdentityOptions {
  readonly chainId: number
  readonly feed: Pick<HeadFeed, 'chain' | 'upstreams'>
  readonly upstreams: AgreeingUpstreams
  readonly repository: Pick<AnswerStoreRepository, 'findChain' | 'addChain' | 'removeChain'>
}

const GET_BLOCK = knownMethod('eth_getBlockByNumber')
const MAX_ASKED = 7
/** Between two questions for the hash of a block to go by. */
const ASK_MS = 30_000

/**
 * Whether what is stored is of the chain that we follow. All of it is about a final block whose hash is stored, the anchor, and its ancestors: while our
 * chain has that block, it is the same chain. One that was set back below it, or begun anew, has another there.
 */
export class ChainIdentityCheck {
  private askAt = 0
  private asked?: ChainAnchor

  constructor(private readonly options: IdentityOptions) {}

  /** Undefined while that cannot be known. */
  async find(): Promise<StoredChain | undefined> {
    const { repository, chainId } = this.options
    const genesis = await this.hashAt(0)
    if (genesis === undefined) return undefined
    const identity = { chainId, genesis }
    const stored = await repository.findChain(identity)
    const isSame = stored && (await this.has(stored.anchor))
    if (isSame) return stored
    if (isSame === false) await repository.removeChain(stored?.id ?? '')
    else if (stored) return undefined
    await repository.addChain({ ...identity, anchor: { number: 0, hash: genesis } })
    // Another process may have been first, and have stored something since.
    const added = await repository.findChain(identity)
    return added && (await this.has(added.anchor)) ? added : undefined
  }

  /** A final block from this number on; undefined where none is known now. */
  async anchorFor(number: number): Promise<ChainAnchor | undefined> {
    const { chain } = this.options.feed
    const { finalized = -1 } = chain
    const block = chain.at(number) ?? chain.blocks()[0]
    if (block && block.number >= number && block.number <= finalized) return block
    // On fast chains what is final is older than all that is held.
    const now = performance.now()
    if (number > finalized || now < this.askAt) return undefined
    this.askAt = now + ASK_MS
    const before = this.asked
    const hash = await this.askForHash(finalized)
    this.asked = hash === undefined ? undefined : { number: finalized, hash }
    // By now it would have been noticed that the nodes have another chain.
    return before && before.number >= number ? before : undefined
  }

  /** The chain may be another one. */
  forget(): void {
    this.asked = undefined
  }

  /** Undefined where that cannot be known now. */
  private async has({ number, hash }: ChainAnchor): Promise<boolean | undefined> {
    const found = await this.hashAt(number)
    return found === undefined ? undefined : found === hash
  }

  private async hashAt(number: number): Promise<string | undefined> {
    const { chain } = this.options.feed
    const known = chain.at(number)
    if (known) return known.hash
    // A chain that has not come so far, or where it may still change.
    if (number > (chain.finalized ?? -1)) return undefined
    return this.askForHash(number)
  }

  /** By most of the nodes: one that lies is not to empty the store. */
  private async askForHash(number: number): Promise<string | undefined> {
    const { feed, upstreams } = this.options
    const usable = [...feed.upstreams.values()].filter(({ isUsable, isOnOurChain }) => isUsable && isOnOurChain).length
    if (usable === 0) return undefined
    const nodes = Math.min(usable, MAX_ASKED)
    const params = [`0x${number.toString(16)}`, false]
    const check = answerCheckOf({ method: GET_BLOCK, params }, feed.chain)
    const request = { method: GET_BLOCK, paramsJson: JSON.stringify(params), block: number, check }
    const { member, json } = await upstreams.of({ nodes, agreeing: Math.floor(nodes / 2) + 1 }).call(request)
    if (member === 'error' || isNull(json)) return undefined
    const { hash }: { readonly hash?: unknown } = JSON.parse(json.toString())
    return typeof hash === 'string' ? hash.toLowerCase() : undefined
  }
}

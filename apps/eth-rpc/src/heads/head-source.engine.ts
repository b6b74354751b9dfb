import type { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import type { BudgetMeter } from '../upstreams/budgets/budget-meter.engine.js'
import type { UpstreamConfig } from '../upstreams/upstream-config.js'
import { type Agreement, agreementOf } from './agreement.js'
import { EvmNodeClient, ForgedBlock, failureReasonOf, type JsonSender } from './evm-node.client.js'
import type { ChainBlock, FollowedChain } from './followed-chain.js'
import { shownBlock, timestampOf } from './header.js'
import type { HeaderCheck } from './header-check.engine.js'
import { NodeSocket } from './node-socket.engine.js'
import { pollPauseMs } from './poll-pace.js'
import type { PrimaryCandidate } from './primary-upstream.js'
import { CORDONED, FORGING, type Refusal, SHADOW, SPENT } from './refusal.js'
import { behindReason, isIndexing, type SyncProgress } from './sync-progress.js'

/** What reaches one upstream. */
type HeadLink = JsonSender & { readonly config: UpstreamConfig; readonly meter?: Pick<BudgetMeter, 'count' | 'isSpent'> }

interface HeadSourceOptions {
  readonly link: HeadLink
  readonly chainId: number
  readonly pollMs: number
  readonly maxLag: number
  readonly logger: Logger
  readonly headers: HeaderCheck
  /** Whether the chain can be followed without those that have a budget. */
  readonly isSpared?: () => boolean
  /** What the source shows has changed. */
  readonly onChange: () => void
}

/** How often a node is asked for its chain id, besides after it was away. */
const IDENTITY_MS = 60_000
const SYNCING_MS = 5_000
/** One request may be lost. */
const MAX_FAILURES = 2
/** The WebSocket is trusted after so many heads without a gap. */
const TRUSTED_HEADS = 3
const KNOWN_BLOCKS = 256
const SPENT_CHECK_MS = 1_000

/** Watches the head of one upstream. */
export class HeadSource {
  readonly node: EvmNodeClient
  readonly socket?: NodeSocket
  /** The newest block it has reported, while it has the right chain id. */
  head?: ChainBlock
  /** It has answered or failed at least once. */
  wasTried = false
  /** By what `eth_syncing` shows. */
  progress?: SyncProgress | 'unknown'
  private chain: 'unknown' | 'right' | 'wrong' = 'unknown'
  private failures = 0
  private isForging = false
  private latencyMs = 0
  private identityAt = Number.NEGATIVE_INFINITY
  private syncingAt = Number.NEGATIVE_INFINITY
  /** Heads in a row that came by WebSocket without a gap. */
  private streamedInRow = 0
  /** All that came by WebSocket. */
  private streamedTotal = 0
  /** The newest blocks it has shown, by hash. */
  readonly known = new Map<string, ChainBlock>()
  private readonly wake = new Signal()
  private readonly stopping = new AbortController()
  private running?: Promise<void>

  constructor(private readonly options: HeadSourceOptions) {
    const { link, headers } = options
    this.node = new EvmNodeClient(link, headers)
    const { webSocketUrl: url, headers: sent, tls, proxy } = link.config
    if (!url) return
    this.socket = new NodeSocket({
      url,
      headers: sent,
      tls,
      proxy,
      onOpen: () => void this.subscribe(),
      onMessage: () => link.meter?.count(),
      onClose: (reason) => this.lost(reason),
    })
  }

  get name(): string {
    return this.options.link.config.name
  }

  /** Whether this is whom it watches. */
  isOf(link: JsonSender): boolean {
    return this.options.link === link
  }

  get candidate(): PrimaryCandidate {
    const { name, isHealthy, latencyMs, head } = this
    const { priority, budget } = this.options.link.config
    return { name, isHealthy, latencyMs, head: head?.number ?? 0, priority, isMetered: budget !== undefined }
  }

  get isHealthy(): boolean {
    return this.refusal === undefined && !this.stopping.signal.aborted
  }

  /** Why it cannot be asked, whatever the others are like. */
  get refusal(): Refusal | undefined {
    const { head, progress } = this
    if (this.isSpent) return SPENT
    if (this.chain === 'wrong') return { reason: 'wrong-chain', detail: 'it has another chain id' }
    if (this.failures >= MAX_FAILURES) return this.isForging ? FORGING : { reason: 'silent', detail: 'it does not answer' }
    const headAge = head && progress ? Date.now() / 1000 - timestampOf(head) : undefined
    const behind = behindReason(progress, { maxLag: this.options.maxLag, headAge })
    if (behind) return { reason: 'syncing', detail: behind }
    return head && this.chain === 'right' ? undefined : { reason: 'silent', detail: 'it has shown no block yet' }
  }

  /** Why it is only followed: it is neither asked nor has a say in what our chain is. */
  get standsAside(): Refusal | undefined {
    const { cordon, shadow } = this.options.link.config
    if (cordon) return CORDONED
    return shadow === undefined ? undefined : SHADOW
  }

  private get isSpent(): boolean {
    return this.options.link.meter?.isSpent ?? false
  }

  /** It has a budget, and others can be followed. */
  get isSpared(): boolean {
    return this.options.link.meter !== undefined && (this.options.isSpared?.() ?? false)
  }

  get isOfWrongChain(): boolean {
    return this.chain === 'wrong'
  }

  agreement(chain: FollowedChain): Agreement {
    return this.head ? agreementOf(chain, this.head, ({ parentHash }) => this.known.get(parentHash)) : 'unknown'
  }

  start(): void {
    if (!this.isSpent) this.socket?.connect()
    this.running = this.run()
  }

  /** Asks for the head now. */
  hasten(): void {
    if (!this.isSpared) this.wake.notify()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.socket?.stop()
    await this.running
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      if (this.isSpent) {
        await this.restUntilUnspent()
        continue
      }
      const hasFailed = !(await this.attempt())
      this.wasTried = true
      this.changed()
      const isStreamed = this.streamedInRow >= TRUSTED_HEADS
      await this.wake.wait(pollPauseMs({ pollMs: this.options.pollMs, hasFailed, isSpared: this.isSpared, isStreamed }), signal)
    }
  }

  /** Nothing is asked of it, and it is not listened to. */
  private async restUntilUnspent(): Promise<void> {
    const { signal } = this.stopping
    this.wasTried = true
    this.socket?.stop()
    this.changed()
    while (this.isSpent && !signal.aborted) await this.wake.wait(SPENT_CHECK_MS, signal)
    if (!signal.aborted) this.socket?.connect()
  }

  private async attempt(): Promise<boolean> {
    try {
      await this.identify()
      if (this.chain === 'right') await this.poll()
      this.failures = 0
      return true
    } catch (error) {
      this.failures++
      this.isForging = error instanceof ForgedBlock
      // Another node may answer at this address next.
      this.identityAt = Number.NEGATIVE_INFINITY
      if (this.failures === MAX_FAILURES) this.log('warn', 'the upstream does not answer', error)
      return false
    }
  }

  private async identify(): Promise<void> {
    if (performance.now() - this.identityAt < IDENTITY_MS) return
    const { chainId } = this.options
    const found = await this.node.chainId()
    const before = this.chain
    this.chain = found === chainId ? 'right' : 'wrong'
    this.identityAt = performance.now()
    if (this.chain === before) return
    if (this.chain === 'right') return this.log('info', 'the upstream has our chain id')
    this.head = undefined
    this.options.logger.error(
      { upstream: this.name, chainId: found, expected: chainId },
      'the upstream has another chain id and is not used',
    )
    this.changed()
  }

  private async poll(): Promise<void> {
    const { streamedTotal } = this
    const begun = performance.now()
    const [block] = await Promise.all([this.node.latest(), this.askSyncing()])
    this.latencyMs = performance.now() - begun
    // A head that came by WebSocket meanwhile may be newer.
    if (this.streamedTotal > streamedTotal) return
    // The WebSocket missed it.
    if (this.head && block.hash !== this.head.hash) this.streamedInRow = 0
    if (!this.isLinked(block)) await this.identifyAgain()
    if (this.chain === 'right') this.take(block)
  }

  /** Another node may answer at the same address one day, with any chain: its blocks do not link to those before. */
  private isLinked({ hash, parentHash }: ChainBlock): boolean {
    return this.head === undefined || this.known.has(hash) || this.known.has(parentHash)
  }

  private identifyAgain(): Promise<void> {
    this.identityAt = Number.NEGATIVE_INFINITY
    return this.identify()
  }

  private async askSyncing(): Promise<void> {
    if (performance.now() - this.syncingAt < SYNCING_MS) return
    const before = this.progress
    this.progress = await this.node.syncing()
    if (isIndexing(this.progress) && !isIndexing(before)) this.log('info', 'the upstream indexes, which makes no answer wrong')
    this.syncingAt = performance.now()
  }

  /** It has shown this block. */
  learn(block: ChainBlock): void {
    this.known.set(block.hash, block)
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KNOWN_BLOCKS) break
      this.known.delete(oldest)
    }
  }

  private take(block: ChainBlock): void {
    this.learn(block)
    if (block.hash !== this.head?.hash) this.head = block
  }

  private async subscribe(): Promise<void> {
    try {
      await this.socket?.subscribe('newHeads', (shown) => this.takeStreamed(shown))
    } catch (error) {
      // It is polled instead.
      this.log('warn', 'the upstream refuses a subscription to new heads', error)
    }
    // It may be another node now, and heads before the subscription were missed.
    this.identityAt = Number.NEGATIVE_INFINITY
    this.wake.notify()
  }

  private takeStreamed(shown: unknown): void {
    if (this.chain !== 'right' || this.stopping.signal.aborted) return
    const { head } = this
    const block = shownBlock(shown, Date.now())
    if (!block || !this.isLinked(block) || this.options.headers.isForged(block)) {
      this.wake.notify()
      return
    }
    const follows = head !== undefined && block.number <= head.number + 1
    this.streamedInRow = follows ? this.streamedInRow + 1 : 1
    this.streamedTotal++
    this.take(block)
    this.changed()
  }

  private lost(reason: string): void {
    if (this.streamedInRow > 0) this.options.logger.info({ upstream: this.name, reason }, 'the WebSocket to the upstream was lost')
    this.streamedInRow = 0
    this.wake.notify()
    this.changed()
  }

  private changed(): void {
    if (!this.stopping.signal.aborted) this.options.onChange()
  }

  private log(level: 'info' | 'warn', text: string, error?: unknown): void {
    this.options.logger[level]({ upstream: this.name, reason: error && failureReasonOf(error) }, text)
  }
}

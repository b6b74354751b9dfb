import { Inject, Injectable } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import { unavailable } from '../framing/rpc-error.js'
import type { ChainBlock, ChainChange } from '../heads/followed-chain.js'
import { HeadFeed } from '../heads/head-feed.js'
import { blockRangeOf } from '../methods/block-reference.js'
import { logCriteria } from '../methods/log-criteria.js'
import { ENV } from '../settings.module.js'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { after, type FilterState, type FilterStep, startAt, stepFrom } from './filter.js'
import type { BlocksRecord, FilterRecord, LogsRecord, PendingRecord } from './filter-record.js'
import { PendingChangesService } from './pending-changes.service.js'

/** What a filter reports, and the record to keep then. */
interface FilterDelivery {
  readonly json: Buffer
  /** The same record where nothing happened. */
  readonly next: FilterRecord
}

interface FoundLog {
  readonly blockHash: string
  readonly json: string
}

/** What happened since a filter was last asked. */
@Injectable()
export class FilterChangesService {
  /** The newest blocks that were disconnected. */
  private readonly gone = new Set<string>()

  constructor(
    private readonly feed: HeadFeed,
    private readonly upstreams: UpstreamPool,
    private readonly pending: PendingChangesService,
    @Inject(ENV) private readonly env: EthRpcEnv,
  ) {
    feed.onChange((change) => this.take(change))
  }

  startLogs(filter: unknown): LogsRecord {
    logCriteria(filter)
    blockRangeOf(filter)
    // Other members are not kept.
    const { address, topics, fromBlock, toBlock, blockHash } = filter as LogsRecord['filter']
    return { kind: 'logs', filter: { address, topics, fromBlock, toBlock, blockHash }, state: startAt(this.head) }
  }

  startBlocks(): BlocksRecord {
    return { kind: 'blocks', state: startAt(this.head) }
  }

  startPending(whole: boolean): PendingRecord {
    return this.pending.start(whole)
  }

  /** `ageMs`: since something was last reported. */
  async since(record: FilterRecord, ageMs: number): Promise<FilterDelivery> {
    if (record.kind !== 'pending' && ageMs < MAX_SKEW_MS && this.isAhead(record.state)) return nothing(record)
    switch (record.kind) {
      case 'logs':
        return this.logsSince(record)
      case 'blocks':
        return this.blocksSince(record)
      case 'pending':
        return this.pending.since(record)
    }
  }

  /** Another process, a moment ahead of us, reported it: by what we know we would disconnect blocks that we are about to see. */
  private isAhead({ hash }: FilterState): boolean {
    return !this.feed.chain.byHash(hash) && !this.gone.has(hash)
  }

  private take({ removed }: ChainChange): void {
    for (const { hash } of removed) this.gone.add(hash)
    for (const hash of this.gone) if (this.gone.size > REMEMBERED) this.gone.delete(hash)
  }

  private async logsSince(record: LogsRecord): Promise<FilterDelivery> {
    const { chain } = this.feed
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const step = stepFrom(record.state, chain)
      if (!step || isEmpty(step)) return nothing(record)
      const logs = await this.findLogs(record, step)
      // The chain may have changed meanwhile: the answer would mix two branches.
      if (!logs || !step.added.every(({ number, hash }) => chain.at(number)?.hash === hash)) continue
      const logsOf = (block: ChainBlock) => logs.filter(({ blockHash }) => blockHash === block.hash).map(({ json }) => json)
      const removed = step.removed.flatMap((block) => block.logs.toReversed().map(asRemoved))
      const json = `[${[...removed, ...logs.map((log) => log.json)].join(',')}]`
      return { json: Buffer.from(json), next: { ...record, state: after(record.state, step, logsOf, chain.finalized) } }
    }
    throw unavailable('the chain changes faster than its logs can be read')
  }

  /** Undefined where a node answered for another branch than ours. */
  private async findLogs({ filter }: LogsRecord, { from, added }: FilterStep): Promise<FoundLog[] | undefined> {
    const { address, topics } = filter
    const range = { address, topics, ...within(filter, { from, to: added.at(-1)?.number ?? -1 }) }
    if (range.fromBlock > range.toBlock) return []
    const outcome = await this.upstreams.logs(range, { blocks: this.env.LOG_BLOCKS })
    if (outcome.member === 'error') throw unavailable('no upstream can give the logs at the moment')
    const logs = JSON.parse(outcome.json.toString()) as { blockHash: string; blockNumber: string }[]
    const ours = new Map(added.map((block) => [block.number, block.hash]))
    if (logs.some(({ blockHash, blockNumber }) => (ours.get(Number(blockNumber)) ?? blockHash) !== blockHash)) return undefined
    return logs.map((log) => ({ blockHash: log.blockHash, json: JSON.stringify(log) }))
  }

  private blocksSince(record: BlocksRecord): FilterDelivery {
    const step = stepFrom(record.state, this.feed.chain)
    if (!step || isEmpty(step)) return nothing(record)
    const json = Buffer.from(JSON.stringify(step.added.map(({ hash }) => hash)))
    return { json, next: { ...record, state: after(record.state, step, () => [], this.feed.chain.finalized) } }
  }

  private get head(): ChainBlock {
    const { head } = this.feed.chain
    if (!head) throw unavailable('the head of the chain is not known yet')
    return head
  }
}

const MAX_TRIES = 3
/** How far two processes that follow one chain may be apart. */
const MAX_SKEW_MS = 2000
const REMEMBERED = 2000

/** The part of these blocks that the filter searches. */
function within(filter: LogsRecord['filter'], { from, to }: { from: number; to: number }) {
  const range = blockRangeOf(filter)
  if ('hash' in range) return { fromBlock: from, toBlock: to }
  const lowest = 'number' in range.from ? range.from.number : 0
  const highest = 'number' in range.to ? range.to.number : to
  return { fromBlock: Math.max(from, lowest), toBlock: Math.min(to, highest) }
}

function nothing(record: FilterRecord): FilterDelivery {
  return { json: Buffer.from('[]'), next: record }
}

function isEmpty({ removed, added }: FilterStep): boolean {
  return removed.length === 0 && added.length === 0
}

function asRemoved(log: string): string {
  return JSON.stringify({ ...JSON.parse(log), removed: true })
}

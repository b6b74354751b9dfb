import { randomBytes, randomInt } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { invalidParams, RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import { FilterChangesService } from './filter-changes.service.js'
import { filterId, isFilterId, PLACES } from './filter-id.js'
import type { FilterRecord, LogsRecord } from './filter-record.js'
import { type FilterKey, FilterStoreClient } from './filter-store.client.js'

/** The filters of `eth_newFilter` and its like: kept by the gateway, so that no upstream's end is theirs. */
@Injectable()
export class FiltersService {
  constructor(
    private readonly store: FilterStoreClient,
    private readonly changes: FilterChangesService,
  ) {}

  perform(method: string, params: readonly unknown[], { serial }: LiveProject): Promise<CallOutcome> {
    switch (method) {
      case 'eth_newFilter':
        return this.create(serial, this.changes.startLogs(params[0]))
      case 'eth_newBlockFilter':
        return this.create(serial, this.changes.startBlocks())
      case 'eth_newPendingTransactionFilter':
        return this.create(serial, this.changes.startPending())
      case 'eth_getFilterChanges':
        return this.deliver({ project: serial, id: idOf(params) })
      default:
        return this.remove({ project: serial, id: idOf(params) })
    }
  }

  /** What the filter was made with: all its logs, told or not, are those of a search. */
  async criteriaOf(params: readonly unknown[], { serial }: LiveProject): Promise<LogsRecord['filter']> {
    const stored = await this.store.find({ project: serial, id: idOf(params) })
    if (stored?.record.kind !== 'logs') throw notFound()
    return stored.record.filter
  }

  private async create(project: number, record: FilterRecord): Promise<CallOutcome> {
    let free = PLACES
    for (let tries = 1; tries <= MAX_PLACES_TRIED; tries++) {
      const id = filterId(free[randomInt(free.length)] as string, randomBytes(15))
      if (await this.store.write({ project, id }, record)) return resultOf(id)
      free = await this.freePlaces(project)
    }
    throw unavailable('too many make filters at once')
  }

  private async freePlaces(project: number): Promise<readonly string[]> {
    const taken = await this.store.listTaken(project)
    const free = PLACES.filter((place) => !taken.has(place))
    if (free.length > 0) return free
    throw new RpcFailure({ code: RPC_CODE.limit, message: `the project has ${PLACES.length} filters; uninstall those you do not need` })
  }

  /** What is new is told once, to whoever asks first: who was slower looks again. */
  private async deliver(key: FilterKey): Promise<CallOutcome> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const stored = await this.store.find(key)
      if (!stored) throw notFound()
      const { json, next } = await this.changes.since(stored.record, Date.now() - stored.writtenAt)
      const isTold = next === stored.record && Date.now() - stored.writtenAt < REFRESH_MS
      if (isTold || (await this.store.write(key, next, stored.revision))) return { member: 'result', json }
    }
    throw unavailable(BUSY)
  }

  private async remove(key: FilterKey): Promise<CallOutcome> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const stored = await this.store.find(key)
      if (!stored) return resultOf(false)
      if (await this.store.remove(key, stored.revision)) return resultOf(true)
    }
    throw unavailable(BUSY)
  }
}

const MAX_TRIES = 5
const BUSY = 'too many ask for the changes of this filter at once'
/** Somebody else may be quicker: not so often, also when a thousand make filters at the same moment. */
const MAX_PLACES_TRIED = 20
/** A record that nothing happened to is written again now and then, or it would be forgotten. */
const REFRESH_MS = 60_000

function idOf([id]: readonly unknown[]): string {
  if (typeof id !== 'string') throw invalidParams('the id of a filter is a string')
  // It becomes part of a subject.
  if (!isFilterId(id)) throw notFound()
  return id
}

function notFound(): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.server, message: 'filter not found' })
}

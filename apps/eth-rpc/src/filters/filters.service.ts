import { randomBytes, randomInt } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { invalidParams, RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import { jsonKind } from '../methods/hex-faults.js'
import type { LiveProject } from '../projects/live-project.js'
import { flagOf } from '../subscriptions/subscription-request.js'
import { FilterChangesService } from './filter-changes.service.js'
import { filterId, isFilterId, SLOTS } from './filter-id.js'
import type { FilterRecord, LogsRecord } from './filter-record.js'
import { type FilterKey, FilterStoreClient } from './filter-store.client.js'

/** The filters of `eth_newFilter` and the like: kept by the gateway, so that they survive any upstream. */
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
        return this.create(serial, this.changes.startPending(flagOf(params[0], 0)))
      case 'eth_getFilterChanges':
        return this.deliver({ project: serial, id: idOf(params) })
      default:
        return this.uninstall(serial, params)
    }
  }

  /** The criteria of the filter: `eth_getFilterLogs` is a search by them. */
  async criteriaOf(params: readonly unknown[], { serial }: LiveProject): Promise<LogsRecord['filter']> {
    const stored = await this.store.find({ project: serial, id: idOf(params) })
    if (stored?.record.kind !== 'logs') throw notFound()
    return stored.record.filter
  }

  private async create(project: number, record: FilterRecord): Promise<CallOutcome> {
    let free = SLOTS
    for (let tries = 1; tries <= MAX_SLOTS_TRIED; tries++) {
      const id = filterId(free[randomInt(free.length)] as string, randomBytes(15))
      if (await this.store.write({ project, id }, record)) return resultOf(id)
      free = await this.freeSlots(project)
    }
    throw unavailable('too many make filters at once')
  }

  private async freeSlots(project: number): Promise<readonly string[]> {
    const taken = await this.store.listTaken(project)
    const free = SLOTS.filter((slot) => !taken.has(slot))
    if (free.length > 0) return free
    throw new RpcFailure({ code: RPC_CODE.limit, message: `the project has ${SLOTS.length} filters; uninstall those you do not need` })
  }

  /** Delivers what is new once: of several requests at once the first wins, and the others try again. */
  private async deliver(key: FilterKey): Promise<CallOutcome> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const stored = await this.store.find(key)
      if (!stored) throw notFound()
      const { json, next } = await this.changes.since(stored.record, Date.now() - stored.writtenAt)
      const isDelivered = next === stored.record && Date.now() - stored.writtenAt < REFRESH_MS
      if (isDelivered || (await this.store.write(key, next, stored.revision))) return { member: 'result', json }
    }
    throw unavailable(BUSY)
  }

  private async uninstall(project: number, params: readonly unknown[]): Promise<CallOutcome> {
    const id = textOf(params)
    return isFilterId(id) ? this.remove({ project, id }) : resultOf(false)
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
/** Enough also when a thousand filters are made at the same moment. */
const MAX_SLOTS_TRIED = 20
/** A record that does not change is written again now and then, or it would expire. */
const REFRESH_MS = 60_000

function idOf(params: readonly unknown[]): string {
  const id = textOf(params)
  // It becomes part of a subject.
  if (!isFilterId(id)) throw notFound()
  return id
}

function textOf(params: readonly unknown[]): string {
  const [id] = params
  if (params.length === 0) throw invalidParams('missing value for required argument 0')
  if (typeof id !== 'string') throw invalidParams(`invalid argument 0: json: cannot unmarshal ${jsonKind(id)} into Go value of type rpc.ID`)
  return id
}

function notFound(): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.server, message: 'filter not found' })
}

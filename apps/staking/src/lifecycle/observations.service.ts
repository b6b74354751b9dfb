import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { ChainView } from './chain-observer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { PassTimesService } from './pass-times.service.js'
import { observe } from './steps.js'
import type { ChainState, ValidatorRecord } from './validator-record.js'

/** Stores what the chain reports. */
@Injectable()
export class ObservationsService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly alarms: LifecycleAlarmsService,
    private readonly times: PassTimesService,
  ) {}

  /** Writes what has changed, and at intervals that nothing has; returns the updated records. */
  async record(lease: Lease, view: ChainView, records: readonly ValidatorRecord[]): Promise<ValidatorRecord[]> {
    const old = this.times.observedBefore()
    const results = records.map((record) => ({ record, state: observe(record, view.observationOf(record), view.chain) }))
    const changes = results.flatMap(({ record, state }) => {
      const isNew = state && !(record.observedAt && record.observedAt >= old && isSame(record.chain, state))
      return isNew ? [{ record, state }] : []
    })
    if (changes.length > 0) await this.repository.saveChain(lease, changes, this.times.now())
    for (const { record, state } of changes) this.warn(record, state)
    return results.map(({ record, state }) => ({ ...record, chain: state ?? record.chain }))
  }

  /** Why nothing of a chain is known, for whoever reads its validators; undefined if it is. */
  explain(lease: Lease, chain: string, problem: string | undefined): Promise<void> {
    return this.repository.saveChainProblem(lease, chain, problem)
  }

  private warn({ pubkey, chain, signer }: ValidatorRecord, state: ChainState): void {
    if (state.compromisedAt && !chain.compromisedAt) this.alarms.raise('spoiled', pubkey)
    if (state.depositedAt && !chain.depositedAt && signer.releasedAt) this.alarms.raise('paid-after-release', pubkey)
    if (state.slashed && !chain.slashed) this.alarms.raise('slashed', pubkey)
  }
}

function isSame(one: ChainState, other: ChainState): boolean {
  return textOf(one) === textOf(other)
}

function textOf(state: ChainState): string {
  const known = Object.entries(state).filter(([, value]) => value !== undefined)
  return JSON.stringify(known.sort(), (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

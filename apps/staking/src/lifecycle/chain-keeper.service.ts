import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { ChainView } from './chain-observer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarms } from './lifecycle-alarms.service.js'
import { PassTimes } from './pass-times.service.js'
import type { ChainFacts, Row } from './row.js'
import { observe } from './steps.js'

/** Keeps what the chain said. */
@Injectable()
export class ChainKeeper {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly alarms: LifecycleAlarms,
    private readonly times: PassTimes,
  ) {}

  /** Writes what is new, and now and then that it is still so; the rows as they are then. */
  async keep(lease: Lease, view: ChainView, rows: readonly Row[]): Promise<Row[]> {
    const old = this.times.observedBefore()
    const results = rows.map((row) => ({ row, facts: observe(row, view.seen(row), view.chain) }))
    const changes = results.flatMap(({ row, facts }) => {
      const isNew = facts && !(row.observedAt && row.observedAt >= old && isSame(row.chain, facts))
      return isNew ? [{ row, facts }] : []
    })
    if (changes.length > 0) await this.repository.saveChain(lease, changes, this.times.now())
    for (const { row, facts } of changes) this.warn(row, facts)
    return results.map(({ row, facts }) => ({ ...row, chain: facts ?? row.chain }))
  }

  private warn({ pubkey, chain, signer }: Row, facts: ChainFacts): void {
    if (facts.compromisedAt && !chain.compromisedAt) this.alarms.raise('spoiled', pubkey)
    if (facts.depositedAt && !chain.depositedAt && signer.releasedAt) this.alarms.raise('paid-after-release', pubkey)
    if (facts.slashed && !chain.slashed) this.alarms.raise('slashed', pubkey)
  }
}

function isSame(one: ChainFacts, other: ChainFacts): boolean {
  return textOf(one) === textOf(other)
}

function textOf(facts: ChainFacts): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return JSON.stringify(known.sort(), (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

import { Injectable } from '@nestjs/common'
import { projectChanged } from '@trestle/contracts/eth-rpc/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
import { Database, type Transaction } from '../database.module.js'
import type { StoredProject } from './project.js'

/** Runs a use case in one transaction and at one time; its changes are announced as soon as it is committed. */
@Injectable()
export class ProjectTransactions {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async run<T>(work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    const now = this.clock.now()
    const result = await this.database.$transaction((tx) => work(tx, now))
    this.outbox.wake()
    return result
  }

  /** Not needed for a new project: no process has it in memory. */
  async announce(tx: Transaction, { serial }: StoredProject): Promise<void> {
    await this.outbox.add(tx, projectChanged, { serial })
  }
}

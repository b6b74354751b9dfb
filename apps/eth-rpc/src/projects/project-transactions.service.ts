import { Injectable } from '@nestjs/common'
import { projectChanged } from '@trestle/contracts/eth-rpc/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
import { Database, type Transaction } from '../database.module.js'
import type { StoredProject } from './project.js'

/** Runs a use case in one transaction and at one time; every process hears of what it has changed as soon as it is committed. */
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

  /** Of a new project nobody needs to hear: nobody has it in memory. */
  async tellChange(tx: Transaction, { serial }: StoredProject): Promise<void> {
    await this.outbox.add(tx, projectChanged, { serial })
  }
}

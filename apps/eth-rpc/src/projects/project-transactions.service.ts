import { Injectable } from '@nestjs/common'
import { projectChanged } from '@trestle/contracts/eth-rpc/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
import { EthRpcDatabase, type EthRpcTransaction } from '../database.module.js'
import type { StoredProject } from './project.js'

/** Runs a use case in one transaction and at one time; its changes are announced as soon as it is committed. */
@Injectable()
export class ProjectTransactionsService {
  constructor(
    private readonly database: EthRpcDatabase,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now()
  }

  async run<T>(work: (tx: EthRpcTransaction, now: Date) => Promise<T>): Promise<T> {
    const now = this.now()
    const result = await this.database.$transaction((tx) => work(tx, now))
    this.outbox.wake()
    return result
  }

  /** Not needed for a new project: no process has it in memory. */
  async announce(tx: EthRpcTransaction, { serial }: Pick<StoredProject, 'serial'>): Promise<void> {
    await this.outbox.add(tx, projectChanged, { serial })
  }
}

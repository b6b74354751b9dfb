import { randomUUID } from 'node:crypto'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { callsCounted } from '@trestle/contracts/eth-rpc/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { CallLedger } from './call-ledger.engine.js'

const REPORT_MS = 100
const MAX_REPORTED = 2_000

/** Reports to the other processes of this deployment which callers have sent much here, and takes their reports. */
@Injectable()
export class CallGossipJob implements OnApplicationBootstrap {
  readonly #process = randomUUID()

  constructor(
    private readonly ledger: CallLedger,
    private readonly broadcasts: Broadcasts,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.subscribe(callsCounted, ({ process, counted }) => {
      if (process !== this.#process) this.ledger.debit(counted)
    })
    const timer = setInterval(() => this.report(), REPORT_MS).unref()
    this.lifecycle.onDrain(() => clearInterval(timer))
  }

  /** What cannot be published now never is: a process without connection lets through as many as if it were alone. */
  private report(): void {
    const counted = this.ledger.takeUnreported(MAX_REPORTED)
    if (counted.length > 0) this.broadcasts.publish(callsCounted, { process: this.#process, counted })
    this.ledger.forgetPast()
  }
}

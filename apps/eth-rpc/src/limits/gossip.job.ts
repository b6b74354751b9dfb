import { randomUUID } from 'node:crypto'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { computeUnitsSpent } from '@trestle/contracts/eth-rpc/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { LimitsService } from './limits.service.js'

const REPORT_MS = 100
const SOON_MS = 10
// Every so many times also when there is nothing to report: a silent process counts as gone.
const HEARTBEAT_EVERY = 10
const MAX_REPORTED = 10_000

/** Reports to the other processes of this deployment what was let through here, and takes their reports. */
@Injectable()
export class GossipJob implements OnApplicationBootstrap {
  readonly #process = randomUUID()
  #beat = 0
  #soon: NodeJS.Timeout | undefined

  constructor(
    private readonly limits: LimitsService,
    private readonly broadcasts: Broadcasts,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.subscribe(computeUnitsSpent, ({ process, ...report }) => {
      if (process !== this.#process) this.limits.debitOthers(process, report)
    })
    this.limits.onUrgent(() => this.reportSoon())
    const timer = setInterval(() => this.report(), REPORT_MS).unref()
    this.lifecycle.onDrain(() => {
      clearInterval(timer)
      clearTimeout(this.#soon)
    })
  }

  private reportSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.publish()
    }, SOON_MS).unref()
  }

  private report(): void {
    const beat = this.#beat++
    if (beat % HEARTBEAT_EVERY === 0) this.publish(true)
    else if (beat % this.limits.reportEvery === 0) this.publish()
  }

  /** What cannot be published now never is: a process without connection keeps to its part of the rate. */
  private publish(isHeartbeat = false): void {
    const { spent, refused } = this.limits.takeUnreported(isHeartbeat)
    if (spent.length + refused.length === 0 && !isHeartbeat) return
    let isConnected = true
    do {
      const part = { spent: spent.splice(0, MAX_REPORTED), refused: refused.splice(0, MAX_REPORTED) }
      isConnected = this.broadcasts.publish(computeUnitsSpent, { process: this.#process, ...part }) && isConnected
    } while (spent.length + refused.length > 0)
    this.limits.share(isConnected)
  }
}

import { randomUUID } from 'node:crypto'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { computeUnitsSpent } from '@trestle/contracts/eth-rpc/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { LimitsService } from './limits.service.js'

const TELL_MS = 100
const SOON_MS = 10
// Also when there is nothing to tell, every so many times: whoever says nothing is not there.
const BEATS = 10
const MAX_TOLD = 10_000

/** Tells the other processes of this deployment what was let through here, and hears what they have. */
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
    this.broadcasts.hear(computeUnitsSpent, ({ process, spent }) => {
      if (process !== this.#process) this.limits.debitOthers(process, spent)
    })
    this.limits.onUrgent(() => this.reportSoon())
    const timer = setInterval(() => this.report(), TELL_MS).unref()
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
    this.publish(this.#beat++ % BEATS === 0)
  }

  /** What cannot be said is not said later either: who hears nobody keeps to a part of the rate. */
  private publish(inAnyCase = false): void {
    const spent = this.limits.takeUnreported()
    if (spent.length === 0 && !inAnyCase) return
    let heard = true
    do heard = this.broadcasts.say(computeUnitsSpent, { process: this.#process, spent: spent.splice(0, MAX_TOLD) }) && heard
    while (spent.length > 0)
    this.limits.share(heard)
  }
}

import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'

type Alarm =
  // The key is bound to credentials that are not ours.
  | 'spoiled'
  | 'slashed'
  // Its owner gave it up, and paid for it after its signer had given the key back: nobody signs for it.
  | 'paid-after-release'
  // A second signer lists the key.
  | 'held-elsewhere'
  // A signer lists a key that it had given back.
  | 'held-after-release'
  // A signer has lost a key.
  | 'lost-by-signer'
  // No beacon node takes the exit.
  | 'exit-refused'
  // An exit could not be signed, kept or sent.
  | 'exit-failed'

const MAX_LOGGED = 100_000

/** What somebody has to look at: counted as often as it is found, told once by each process. */
@Injectable()
export class LifecycleAlarmsService {
  private readonly logged = new Set<string>()
  private readonly counter: Counter<'alarm'>

  constructor(
    private readonly logger: Logger,
    { registry }: Metrics,
  ) {
    this.counter = new Counter({
      name: 'staking_alarms_total',
      help: 'How often a pass found what should never be, by what it is.',
      labelNames: ['alarm'] as const,
      registers: [registry],
    })
  }

  raise(alarm: Alarm, pubkey: Buffer, details: object = {}): void {
    this.counter.inc({ alarm })
    const validator = pubkey.toString('hex')
    if (this.logged.has(`${alarm} ${validator}`)) return
    if (this.logged.size >= MAX_LOGGED) this.logged.clear()
    this.logged.add(`${alarm} ${validator}`)
    this.logger.error({ alarm, validator, ...details }, 'a validator needs to be looked at')
  }

  /** What was done, for whoever wants to know later. */
  note(pubkey: Buffer, details: object, what: string): void {
    this.logger.info({ validator: pubkey.toString('hex'), ...details }, what)
  }
}

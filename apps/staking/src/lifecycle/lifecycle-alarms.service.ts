import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'

type Alarm =
  // A deposit bound the key to other withdrawal credentials.
  | 'spoiled'
  | 'slashed'
  // Its owner deleted it and deposited after the key was released: no signer holds its key.
  | 'paid-after-release'
  // The signer of another region lists the key.
  | 'held-elsewhere'
  // A signer lists a key that was released.
  | 'held-after-release'
  // A signer no longer lists a key.
  | 'lost-by-signer'
  // Every beacon node refuses the exit.
  | 'exit-refused'
  // An exit could not be signed, stored or sent.
  | 'exit-failed'

const MAX_LOGGED = 100_000

/** What an operator must look at: counted whenever it is found, logged once by each process. */
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
      help: 'Findings that need an operator, by kind.',
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
    this.logger.error({ alarm, validator, ...details }, 'a validator needs attention')
  }

  /** Logs what was done with a validator. */
  note(pubkey: Buffer, details: object, message: string): void {
    this.logger.info({ validator: pubkey.toString('hex'), ...details }, message)
  }
}

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
  // The chain shows signatures of a key that its signer lost: another one has it.
  | 'signed-elsewhere'
  // The chain has seen nothing signed for an active validator for two epochs.
  | 'missing-duties'
  // Every beacon node refuses the exit.
  | 'exit-refused'
  // An exit could not be signed, stored or sent.
  | 'exit-failed'

type SignerAlarm =
  // What answers for a region is not the signer that it is bound to: nothing is imported there.
  | 'other-signer'
  | 'signer-away'
  // A signer lists keys that no validator has.
  | 'unknown-keys'

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
    if (this.isFirst(`${alarm} ${validator}`)) this.logger.error({ alarm, validator, ...details }, 'a validator needs attention')
  }

  /** True if it was not logged before. */
  raiseForSigner(alarm: SignerAlarm, signer: { readonly chain: string; readonly region: string }, details: object): boolean {
    this.counter.inc({ alarm })
    const isFirst = this.isFirst(`${alarm} ${signer.chain} ${signer.region} ${JSON.stringify(details)}`)
    if (isFirst) this.logger.error({ alarm, ...signer, ...details }, 'a signer needs attention')
    return isFirst
  }

  /** Logs what was done with a validator. */
  note(pubkey: Buffer, details: object, message: string): void {
    this.logger.info({ validator: pubkey.toString('hex'), ...details }, message)
  }

  private isFirst(alarm: string): boolean {
    if (this.logged.has(alarm)) return false
    if (this.logged.size >= MAX_LOGGED) this.logged.clear()
    this.logged.add(alarm)
    return true
  }
}

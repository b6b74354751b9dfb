import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { ChainsService } from '../chains/chains.service.js'
import type { ChainView } from './chain-observer.service.js'
import { ExitSignerService, isExitOf } from './exit-signer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { reasonOf } from './reason.js'
import { exitStep } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** Sends the exits that are due, each signed once, until the chain has them. */
@Injectable()
export class ExitSenderService {
  /** The epoch in which each exit was last refused: what the chain wants does not change within an epoch. */
  private readonly refusedIn = new Map<number, number>()

  constructor(
    private readonly repository: LifecycleRepository,
    private readonly chains: ChainsService,
    private readonly signer: ExitSignerService,
    private readonly alarms: LifecycleAlarmsService,
  ) {}

  /** A failure with one validator does not stop the others. */
  async send(lease: Lease, view: ChainView, records: readonly ValidatorRecord[]): Promise<void> {
    for (const record of records) {
      const { validator } = view.observationOf(record)
      if (!validator || exitStep(record, view.observationOf(record), view.chain) !== 'send') continue
      if (this.refusedIn.get(record.serial) === view.epoch) continue
      try {
        await this.sendOne(lease, view, record, { epoch: BigInt(view.epoch), validatorIndex: BigInt(validator.index) })
      } catch (error) {
        lease.signal.throwIfAborted()
        this.alarms.raise('exit-failed', record.pubkey, { reason: reasonOf(error) })
      }
    }
  }

  private async sendOne(lease: Lease, view: ChainView, record: ValidatorRecord, message: VoluntaryExit): Promise<void> {
    const { chain } = view
    const { pubkey } = record
    const { now } = view.observationOf(record)
    // Stored before it is first sent: a crash neither loses it nor causes a second one.
    if (!(await this.repository.exit(pubkey)))
      await this.repository.saveExit(lease, pubkey, await this.signer.sign(chain, record, message), now)
    const exit = await this.repository.exit(pubkey)
    if (!exit || !isExitOf(exit, record, message, chain)) throw new Error('The stored exit is not an exit of this validator.')
    lease.signal.throwIfAborted()
    const answers = await this.chains.beacon(chain.settings.name).sendExit(exit)
    this.alarms.note(pubkey, { answers }, 'an exit was sent')
    const isSent = answers.some(({ outcome }) => outcome === 'accepted' || outcome === 'known')
    const refusal = isSent ? undefined : answers.find(({ outcome }) => outcome === 'refused')
    if (isSent) await this.repository.markSent(lease, pubkey, now)
    if (refusal) {
      this.refusedIn.set(record.serial, view.epoch)
      this.alarms.raise('exit-refused', pubkey, { answers })
    }
    const problem = refusal?.reason ?? refusal?.outcome
    if (problem !== record.exitProblem) await this.repository.saveExitProblem(lease, record, problem)
  }
}

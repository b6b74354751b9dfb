import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { Chains } from '../chains/chains.service.js'
import type { ChainView } from './chain-observer.service.js'
import { ExitSigner, isExitOf } from './exit-signer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarms } from './lifecycle-alarms.service.js'
import { reasonOf } from './reason.js'
import type { Row } from './row.js'
import { exitStep } from './steps.js'

/** Sends the exits that are due, each signed once, until the chain shows them. */
@Injectable()
export class ExitSender {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly chains: Chains,
    private readonly signer: ExitSigner,
    private readonly alarms: LifecycleAlarms,
  ) {}

  /** What fails with one does not keep the others. */
  async send(lease: Lease, view: ChainView, rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const { validator } = view.seen(row)
      if (!validator || exitStep(row, view.seen(row), view.chain) !== 'send') continue
      try {
        await this.sendOne(lease, view, row, { epoch: BigInt(view.epoch), validatorIndex: BigInt(validator.index) })
      } catch (error) {
        lease.signal.throwIfAborted()
        this.alarms.raise('exit-failed', row.pubkey, { reason: reasonOf(error) })
      }
    }
  }

  private async sendOne(lease: Lease, view: ChainView, row: Row, message: VoluntaryExit): Promise<void> {
    const { chain } = view
    const { pubkey } = row
    const { now } = view.seen(row)
    // Kept before it is first sent: a crash neither loses it nor makes another.
    if (!(await this.repository.exit(pubkey)))
      await this.repository.keepExit(lease, pubkey, await this.signer.sign(chain, row, message), now)
    const exit = await this.repository.exit(pubkey)
    if (!exit || !isExitOf(exit, row, message, chain)) throw new Error('The exit that is kept is not one of this validator.')
    lease.signal.throwIfAborted()
    const answers = await this.chains.beacon(chain.settings.name).sendExit(exit)
    this.alarms.note(pubkey, { answers }, 'an exit was sent')
    if (answers.some(({ outcome }) => outcome === 'taken' || outcome === 'known')) await this.repository.markSent(lease, pubkey, now)
    else if (answers.some(({ outcome }) => outcome === 'refused')) this.alarms.raise('exit-refused', pubkey, { answers })
  }
}

import { Injectable } from '@nestjs/common'
import { FeeKeeper } from './fee-keeper.service.js'
import { KeyMover } from './key-mover.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarms } from './lifecycle-alarms.service.js'
import { reasonOf } from './reason.js'
import type { Row, SignerFacts } from './row.js'
import type { SignerPass } from './signer-pass.js'
import { type HoldersSeen, type SignerStep, signerStep } from './steps.js'

/** Sees to it that every key is where it should be, and nowhere else. */
@Injectable()
export class SignerKeeper {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly mover: KeyMover,
    private readonly fees: FeeKeeper,
    private readonly alarms: LifecycleAlarms,
  ) {}

  /** One row after another; what fails with one is kept with it, and the others go on. Answers whether keys were imported. */
  async keep(pass: SignerPass, rows: readonly Row[]): Promise<boolean> {
    let imported = false
    for (const row of rows) {
      try {
        // Whoever has lost the lease asks a signer for nothing more.
        pass.lease.signal.throwIfAborted()
        if ((await this.step(pass, row)) === 'import') imported = true
      } catch (error) {
        pass.lease.signal.throwIfAborted()
        await this.tell(pass, row, reasonOf(error))
      }
    }
    return imported
  }

  private async step(pass: SignerPass, row: Row): Promise<SignerStep | undefined> {
    const holders = pass.holders.seen(row)
    if (!holders) return this.tellAway(pass, row)
    this.warn(row, holders)
    const step = signerStep(row, holders, pass.view?.seen(row), pass.chain)
    if (step === 'import') await this.mover.import(pass, row)
    else if (step === 'keep') await this.fees.keep(pass, row)
    else if (step === 'release') await this.mover.release(pass, row)
    else await this.save(pass, row, { ...row.signer, readyAt: undefined, problem: problemOf(row, holders) })
    return step
  }

  /** Only where it has something to do. */
  private async tellAway(pass: SignerPass, row: Row): Promise<undefined> {
    const { releasedAt, readyAt, feeAddress } = row.signer
    const isDone = releasedAt || (readyAt && feeAddress?.equals(row.feeAddress))
    if (!isDone) await this.tell(pass, row, 'The signer of its region cannot be asked.')
    return undefined
  }

  private async tell({ lease }: SignerPass, row: Row, problem: string): Promise<void> {
    if (row.signer.problem !== problem) await this.repository.saveProblem(lease, row, problem)
  }

  private async save({ lease }: SignerPass, row: Row, facts: SignerFacts): Promise<void> {
    const isSame = row.signer.problem === facts.problem && row.signer.readyAt?.getTime() === facts.readyAt?.getTime()
    if (!isSame) await this.repository.saveSigner(lease, row, facts)
  }

  private warn({ pubkey, region, signer }: Row, { held, heldElsewhere }: HoldersSeen): void {
    if (heldElsewhere) this.alarms.raise('held-elsewhere', pubkey, { region })
    if (held && signer.releasedAt) this.alarms.raise('held-after-release', pubkey, { region })
    if (!held && signer.readyAt) this.alarms.raise('lost-by-signer', pubkey, { region })
  }
}

function problemOf(row: Row, { heldElsewhere }: HoldersSeen): string | undefined {
  if (row.signer.releasedAt || row.chain.compromisedAt) return undefined
  if (heldElsewhere) return 'The signer of another region has the key: it is not imported here before it is gone there.'
  return row.signer.importedAt ? 'The signer has lost the key; it is brought back when the chain can be read.' : undefined
}

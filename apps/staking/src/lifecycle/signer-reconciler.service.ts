import { Injectable } from '@nestjs/common'
import { FeeRecipientReconcilerService } from './fee-recipient-reconciler.service.js'
import { KeyTransferService } from './key-transfer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { reasonOf } from './reason.js'
import type { SignerPass } from './signer-pass.js'
import { type KeyPresence, type SignerStep, signerStep } from './steps.js'
import type { SignerState, ValidatorRecord } from './validator-record.js'

/** Keeps every key in the signer of its region, and nowhere else. */
@Injectable()
export class SignerReconcilerService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly keys: KeyTransferService,
    private readonly fees: FeeRecipientReconcilerService,
    private readonly alarms: LifecycleAlarmsService,
  ) {}

  /** One record after another; a failure is stored with its validator and does not stop the others. True if keys were imported. */
  async reconcile(pass: SignerPass, records: readonly ValidatorRecord[]): Promise<boolean> {
    let imported = false
    for (const record of records) {
      try {
        // Without the lease no signer is called any more.
        pass.lease.signal.throwIfAborted()
        if ((await this.step(pass, record)) === 'import') imported = true
      } catch (error) {
        pass.lease.signal.throwIfAborted()
        await this.saveProblem(pass, record, reasonOf(error))
      }
    }
    return imported
  }

  private async step(pass: SignerPass, record: ValidatorRecord): Promise<SignerStep | undefined> {
    const holders = pass.holders.presenceOf(record)
    if (!holders) return this.saveUnreachable(pass, record)
    this.warn(record, holders)
    const step = signerStep(record, holders, pass.view?.observationOf(record), pass.chain)
    if (step === 'import') await this.keys.import(pass, record)
    else if (step === 'keep') await this.fees.reconcile(pass, record)
    else if (step === 'release') await this.keys.release(pass, record)
    else await this.save(pass, record, { ...record.signer, readyAt: undefined, problem: problemOf(record, holders) })
    return step
  }

  /** Only if the signer would have something to do. */
  private async saveUnreachable(pass: SignerPass, record: ValidatorRecord): Promise<undefined> {
    const { releasedAt, readyAt, feeAddress } = record.signer
    const isDone = releasedAt || (readyAt && feeAddress?.equals(record.feeAddress))
    if (!isDone) await this.saveProblem(pass, record, 'The validator client of its region does not answer.')
    return undefined
  }

  private async saveProblem({ lease }: SignerPass, record: ValidatorRecord, problem: string): Promise<void> {
    if (record.signer.problem !== problem) await this.repository.saveProblem(lease, record, problem)
  }

  private async save({ lease }: SignerPass, record: ValidatorRecord, facts: SignerState): Promise<void> {
    const isSame = record.signer.problem === facts.problem && record.signer.readyAt?.getTime() === facts.readyAt?.getTime()
    if (!isSame) await this.repository.saveSigner(lease, record, facts)
  }

  private warn({ pubkey, region, signer }: ValidatorRecord, { held, heldElsewhere }: KeyPresence): void {
    if (heldElsewhere) this.alarms.raise('held-elsewhere', pubkey, { region })
    if (held && signer.releasedAt) this.alarms.raise('held-after-release', pubkey, { region })
    if (!held && signer.readyAt) this.alarms.raise('lost-by-signer', pubkey, { region })
  }
}

function problemOf(record: ValidatorRecord, { heldElsewhere }: KeyPresence): string | undefined {
  if (record.signer.releasedAt || record.chain.compromisedAt) return undefined
  if (heldElsewhere) return 'The signer of another region has the key: it is not imported here until it is deleted there.'
  return record.signer.importedAt ? 'The signer has lost the key; it is imported again when the chain can be read.' : undefined
}

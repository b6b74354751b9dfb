import { Injectable } from '@nestjs/common'
import { FeeRecipientReconcilerService } from './fee-recipient-reconciler.service.js'
import { KeyCustodyService } from './key-custody.service.js'
import { KeyTransferService } from './key-transfer.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { reasonOf } from './reason.js'
import type { SignerPass } from './signer-pass.js'
import { type ImportObstacle, importObstacle, type KeyPresence, type SignerStep, signerStep } from './steps.js'
import type { SignerState, ValidatorRecord } from './validator-record.js'

/** Keeps every key in the signer of its region, and nowhere else. */
@Injectable()
export class SignerReconcilerService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly keys: KeyTransferService,
    private readonly fees: FeeRecipientReconcilerService,
    private readonly custody: KeyCustodyService,
  ) {}

  /** One record after another; a failure is stored with its validator and does not stop the others. True if keys were imported. */
  async reconcile(pass: SignerPass, records: readonly ValidatorRecord[]): Promise<boolean> {
    let imported = false
    for (const record of await this.custody.watch(pass, records)) {
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
    const presence = pass.holders.presenceOf(record)
    if (!presence) return this.saveUnreachable(pass, record)
    const observation = pass.view?.observationOf(record)
    const step = signerStep(record, presence, observation, pass.chain)
    await this.custody.record(pass, record, presence, step)
    if (step === 'import' && presence.binding) await this.keys.import(pass, record, presence.binding)
    else if (step === 'keep') await this.fees.reconcile(pass, record)
    else if (step === 'release') await this.keys.release(pass, record)
    else await this.save(pass, record, { ...record.signer, readyAt: undefined, problem: problemOf(pass, record, presence) })
    return step
  }

  private async saveUnreachable(pass: SignerPass, record: ValidatorRecord): Promise<undefined> {
    if (record.signer.releasedAt) return undefined
    const reason = pass.holders.failureOf(record)
    await this.saveProblem(pass, record, `The validator client of its region does not answer${reason ? `: ${reason}` : '.'}`)
    return undefined
  }

  private async saveProblem({ lease }: SignerPass, record: ValidatorRecord, problem: string): Promise<void> {
    if (record.signer.problem !== problem) await this.repository.saveProblem(lease, record, problem)
  }

  private async save({ lease }: SignerPass, record: ValidatorRecord, facts: SignerState): Promise<void> {
    const isSame = record.signer.problem === facts.problem && record.signer.readyAt?.getTime() === facts.readyAt?.getTime()
    if (!isSame) await this.repository.saveSigner(lease, record, facts)
  }
}

const PROBLEMS = {
  compromised: undefined,
  deleted: undefined,
  'held-elsewhere': 'The signer of another region has the key: it is not imported here until it is deleted there.',
  'other-signer': 'Another signer answers for its region than before: nothing is imported there until an administrator accepts it.',
  'chain-unread': 'The key is imported when the chain can be read.',
  'not-allowed':
    'The signer has lost the key, and another one may have it. It is imported again when an administrator has made sure that none does, and allows it.',
  'not-silent': 'The key is imported again when the chain has shown for three epochs that nobody signs with it.',
} satisfies Record<ImportObstacle, string | undefined>

function problemOf({ view, chain }: SignerPass, record: ValidatorRecord, presence: KeyPresence): string | undefined {
  if (presence.held || record.signer.releasedAt) return undefined
  const obstacle = importObstacle(record, presence, view?.observationOf(record), chain)
  return obstacle && PROBLEMS[obstacle]
}

import { Injectable } from '@nestjs/common'
import type { SignerClient } from '../signers/signer.js'
import { SignersService } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassTimesService } from './pass-times.service.js'
import type { SignerPass } from './signer-pass.js'
import type { ValidatorRecord } from './validator-record.js'

const NOT_SUPPORTED = 'This signer has no fee addresses: set the address in the validator client in front of it.'

/** Keeps the fee addresses of signers as desired: some clients lose them when they restart. */
@Injectable()
export class FeeRecipientReconcilerService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: SignersService,
    private readonly times: PassTimesService,
  ) {}

  /** For a key that its signer holds. The validator is ready once its address is there too. */
  async reconcile({ lease, chain }: SignerPass, record: ValidatorRecord): Promise<void> {
    const signer = this.signers.of(chain.settings.name, record.region)
    if (this.isUpToDate(record, signer)) return
    const now = this.times.now()
    const held = { importedAt: record.signer.importedAt ?? now, readyAt: record.signer.readyAt ?? now, checkedAt: now }
    const kept = signer.keepsFeeRecipients
      ? { feeAddress: await this.set(lease.signal, record, signer) }
      : { feeAddress: record.feeAddress, problem: NOT_SUPPORTED }
    await this.repository.saveSigner(lease, record, { ...held, ...kept })
  }

  private isUpToDate(
    { signer: { readyAt, checkedAt, feeAddress, problem }, feeAddress: desired }: ValidatorRecord,
    { keepsFeeRecipients }: SignerClient,
  ): boolean {
    const isFresh = checkedAt !== undefined && checkedAt >= this.times.checkedBefore()
    const isInOrder = !problem || !keepsFeeRecipients
    return readyAt !== undefined && isFresh && isInOrder && (feeAddress?.equals(desired) ?? false)
  }

  /** Reads the address back: what the signer reports afterwards is what it has. */
  private async set(signal: AbortSignal, record: ValidatorRecord, signer: SignerClient): Promise<Buffer> {
    const desired = await this.repository.feeAddress(record)
    const kept = await signer.feeRecipient(record.pubkey)
    if (kept?.equals(desired)) return kept
    signal.throwIfAborted()
    await signer.setFeeRecipient(record.pubkey, desired)
    const now = await signer.feeRecipient(record.pubkey)
    if (!now?.equals(desired)) throw new Error('The signer accepted the fee address and reports another one.')
    return now
  }
}

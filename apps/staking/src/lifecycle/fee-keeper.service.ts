import { Injectable } from '@nestjs/common'
import type { SignerClient } from '../signers/signer.js'
import { Signers } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassTimes } from './pass-times.service.js'
import type { Row } from './row.js'
import type { SignerPass } from './signer-pass.js'

const NOT_KEPT = 'This signer keeps no fee addresses: the validator client in front of it must be told.'

/** Sees to it that signers pay the fees of blocks to whom they should: some forget it when they are restarted. */
@Injectable()
export class FeeKeeper {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: Signers,
    private readonly times: PassTimes,
  ) {}

  /** Of a key that its signer holds; it is ready once its address is there too. */
  async keep({ lease, chain }: SignerPass, row: Row): Promise<void> {
    const signer = this.signers.of(chain.settings.name, row.region)
    if (this.isKept(row, signer)) return
    const now = this.times.now()
    const held = { importedAt: row.signer.importedAt ?? now, readyAt: row.signer.readyAt ?? now, checkedAt: now }
    const kept = signer.keepsFeeRecipients
      ? { feeAddress: await this.set(lease.signal, row, signer) }
      : { feeAddress: row.feeAddress, problem: NOT_KEPT }
    await this.repository.saveSigner(lease, row, { ...held, ...kept })
  }

  private isKept(
    { signer: { readyAt, checkedAt, feeAddress, problem }, feeAddress: wanted }: Row,
    { keepsFeeRecipients }: SignerClient,
  ): boolean {
    const isFresh = checkedAt !== undefined && checkedAt >= this.times.checkedBefore()
    const isInOrder = !problem || !keepsFeeRecipients
    return readyAt !== undefined && isFresh && isInOrder && (feeAddress?.equals(wanted) ?? false)
  }

  /** What it says after it was told is what it has. */
  private async set(signal: AbortSignal, row: Row, signer: SignerClient): Promise<Buffer> {
    const wanted = await this.repository.feeAddress(row)
    const kept = await signer.feeRecipient(row.pubkey)
    if (kept?.equals(wanted)) return kept
    signal.throwIfAborted()
    await signer.setFeeRecipient(row.pubkey, wanted)
    const now = await signer.feeRecipient(row.pubkey)
    if (!now?.equals(wanted)) throw new Error('The signer says that it took the fee address, and has another.')
    return now
  }
}

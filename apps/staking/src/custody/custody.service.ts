import { Injectable } from '@nestjs/common'
import type { LostKey, RegionSigner } from '@trestle/contracts/staking/custody'
import { validatorChangeRequested } from '@trestle/contracts/staking/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { type KeyLoss, LostKeysRepository } from './lost-keys.repository.js'
import type { SignerRecord } from './region-signer.js'
import { RegionSignersRepository } from './region-signers.repository.js'

/** What administrators decide about signers and lost keys. */
@Injectable()
export class CustodyService {
  constructor(
    private readonly signers: RegionSignersRepository,
    private readonly keys: LostKeysRepository,
    private readonly broadcasts: Broadcasts,
    private readonly clock: Clock,
  ) {}

  async listSigners(): Promise<RegionSigner[]> {
    return (await this.signers.list()).map(describeSigner)
  }

  /** Only what answered last: another one may answer by now. */
  async accept(signer: { readonly chain: string; readonly region: string }, identity: string, userId: string): Promise<void> {
    if (!(await this.signers.accept(signer, identity, { userId, at: this.clock.now() })))
      throw new Problem('unknown', 'UnknownSigner', 'No such signer waits there for being accepted; list the signers again.')
    this.broadcasts.publish(validatorChangeRequested, { chain: signer.chain })
  }

  async listLostKeys(): Promise<LostKey[]> {
    return (await this.keys.list()).map(describeKey)
  }

  async recover(pubkey: string, userId: string): Promise<void> {
    const chain = await this.keys.allow(Buffer.from(pubkey, 'hex'), { userId, at: this.clock.now() })
    if (chain === undefined) throw new Problem('unknown', 'UnknownLostKey', 'No signer has lost this key.')
    this.broadcasts.publish(validatorChangeRequested, { chain })
  }
}

function describeSigner({ chain, region, identity, boundAt, acceptedBy, other, away, keys, unknownKeys }: SignerRecord): RegionSigner {
  const isOther = other ? 'other' : 'bound'
  return {
    ...{ chain, region, keys, unknownKeys },
    state: away ? 'away' : isOther,
    identity: identity ?? null,
    boundAt: boundAt?.toISOString() ?? null,
    acceptedBy: acceptedBy ?? null,
    other: other ? { ...other, since: other.since.toISOString() } : null,
    away: away ? { ...away, since: away.since.toISOString() } : null,
  }
}

function describeKey({ chain, pubkey, region, organizationId, beaconStatus, lostAt, silentEpochs, allowedAt, problem }: KeyLoss): LostKey {
  return {
    ...{ chain, region, silentEpochs },
    pubkey: pubkey.toString('hex'),
    organization: organizationId,
    status: beaconStatus ?? null,
    lostAt: lostAt.toISOString(),
    allowedAt: allowedAt?.toISOString() ?? null,
    note: problem ?? null,
  }
}

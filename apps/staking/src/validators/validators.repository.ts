import { Injectable } from '@nestjs/common'
import { lockOrganization } from '@trestle/auth/dissolved-organizations'
import type { PayloadOf } from '@trestle/contracts/message'
import { validatorChangeRequested, validatorUpdateRequested } from '@trestle/contracts/staking/messages'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { Turns } from '@trestle/database/turns'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Outbox } from '@trestle/messaging/outbox'
import { StakingDatabase, type StakingTransaction } from '../database.module.js'
import type { Validator as ValidatorRow } from '../generated/prisma/client.js'
import { recordOf } from '../lifecycle/stored-validator.js'
import type { Creator, OwnedValidator, Ownership, ValidatorCounts } from './validator.js'

/** A validator that is not stored yet, with its key. */
export interface NewValidatorRow extends Creator {
  readonly region: string
  readonly pubkey: Buffer
  readonly withdrawalCredentials: Buffer
  readonly feeAddress: Buffer
  readonly depositData: Buffer
  readonly createdAt: Date
  readonly keystore: string
  readonly sealedPassword: Buffer
  readonly request?: IdempotentRequest
}

/** A caller's Idempotency-Key, and the hash of its request. Keys are the user's: two members who choose the same one never mean one request. */
interface IdempotentRequest {
  readonly key: string
  readonly hash: Buffer
}

/** Who requests a change, and when. */
interface Requested {
  readonly userId: string
  readonly at: Date
}

type Change = PayloadOf<typeof validatorUpdateRequested>['change']

@Injectable()
export class ValidatorsRepository {
  /** What locks the same rows of Postgres waits here: there, it would keep connections from everybody else. Users go before organizations. */
  private readonly turns = new Turns(1)

  constructor(
    private readonly database: StakingDatabase,
    private readonly broadcasts: Broadcasts,
    private readonly outbox: Outbox,
  ) {}

  /** With its key, or not at all; or what the same request created before. `admit` throws if the user created too many. */
  async add(
    { keystore, sealedPassword, request, ...given }: NewValidatorRow,
    admit: (counts: ValidatorCounts) => void,
  ): Promise<OwnedValidator> {
    const pubkey = Uint8Array.from(given.pubkey)
    const validator = {
      ...given,
      pubkey,
      withdrawalCredentials: Uint8Array.from(given.withdrawalCredentials),
      feeAddress: Uint8Array.from(given.feeAddress),
      depositData: Uint8Array.from(given.depositData),
      ...(request && { requestKey: request.key, requestHash: Uint8Array.from(request.hash) }),
    }
    const add = async (tx: StakingTransaction) => {
      const counts = await countFor(tx, given.userId, given.createdAt)
      // The same request may have come twice at once.
      const earlier = request && (await this.findRequest(given.userId, request.key, tx))
      if (earlier) return earlier
      admit(counts)
      await lockOrganization(tx, given.organizationId)
      const row = await tx.validator.create({ data: validator })
      await tx.validatorKey.create({ data: { pubkey, keystore, sealedPassword: Uint8Array.from(sealedPassword) } })
      return validatorOf(row)
    }
    const added = await this.turns.run(`user ${given.userId}`, () => this.run(given, add))
    this.wake(added)
    return added
  }

  /** What a request with this Idempotency-Key created. */
  async findRequest(userId: string, requestKey: string, tx: StakingTransaction = this.database): Promise<OwnedValidator | undefined> {
    const row = await tx.validator.findFirst({ where: { userId, requestKey } })
    return row ? validatorOf(row) : undefined
  }

  /** Oldest first. */
  async list(organizationId: string, chain: string): Promise<OwnedValidator[]> {
    const where = { organizationId, chain, removedAt: null }
    const rows = await this.database.validator.findMany({ where, orderBy: { serial: 'asc' } })
    const chainProblem = await this.findProblem(chain)
    return rows.map((row) => ({ ...validatorOf(row), chainProblem }))
  }

  async find({ organizationId, chain, pubkey }: Ownership): Promise<OwnedValidator | undefined> {
    const where = { organizationId, chain, pubkey: Buffer.from(pubkey, 'hex'), removedAt: null }
    const row = await this.database.validator.findUnique({ where })
    return row ? { ...validatorOf(row), chainProblem: await this.findProblem(chain) } : undefined
  }

  /** One that was removed and can be restored. */
  async findRemoved({ organizationId, chain, pubkey }: Ownership, now: Date): Promise<OwnedValidator | undefined> {
    const row = await this.database.validator.findUnique({
      where: { organizationId, chain, pubkey: Buffer.from(pubkey, 'hex'), ...restorable(now) },
    })
    return row ? validatorOf(row) : undefined
  }

  async saveFeeAddress(validator: OwnedValidator, feeAddress: Buffer, by: Requested): Promise<void> {
    await this.database.$transaction(async (tx) => {
      await tx.validator.update({ where: { serial: validator.serial }, data: { feeAddress: Uint8Array.from(feeAddress) } })
      if (!feeAddress.equals(validator.feeAddress)) await this.announce(tx, validator, 'fee-address', by)
    })
    this.wake(validator)
  }

  /** Restores the former fee address unless there is a third by now. Which one the signer has is then unknown. */
  async restoreFeeAddress(validator: OwnedValidator, rejected: Buffer): Promise<void> {
    const where = { serial: validator.serial, feeAddress: Uint8Array.from(rejected) }
    const data = { feeAddress: Uint8Array.from(validator.feeAddress), signerFeeAddress: null }
    await this.database.validator.updateMany({ where, data })
    this.wake(validator)
  }

  /** The first request counts. */
  async requestExit(validator: OwnedValidator, by: Requested): Promise<void> {
    const where = { serial: validator.serial, exitRequestedAt: null }
    await this.database.$transaction(async (tx) => {
      const { count } = await tx.validator.updateMany({ where, data: { exitRequestedAt: by.at } })
      if (count === 1) await this.announce(tx, validator, 'exit', by)
    })
    this.wake(validator)
  }

  async remove(validator: OwnedValidator, removedAt: Date, restorableUntil?: Date): Promise<void> {
    const where = { serial: validator.serial, removedAt: null }
    await this.database.validator.updateMany({ where, data: { removedAt, restorableUntil } })
    this.wake(validator)
  }

  /** The removed ones that can be restored, the one that was removed last first. */
  async listRemoved(organizationId: string, chain: string, now: Date): Promise<OwnedValidator[]> {
    const where = { organizationId, chain, ...restorable(now) }
    const rows = await this.database.validator.findMany({ where, orderBy: [{ removedAt: 'desc' }, { serial: 'asc' }] })
    return rows.map(validatorOf)
  }

  /** Undefined if there is none to restore. `admit` throws if its creator has too many; Problem `UnknownOrganization` if its organization was dissolved. */
  async restore(
    { organizationId, chain, pubkey }: Ownership,
    now: Date,
    admit: (counts: ValidatorCounts) => void,
  ): Promise<OwnedValidator | undefined> {
    const where = { organizationId, chain, pubkey: Buffer.from(pubkey, 'hex'), ...restorable(now) }
    const restored = await this.run({ organizationId }, async (tx) => {
      const removed = await tx.validator.findUnique({ where })
      if (!removed) return undefined
      admit(await countFor(tx, removed.userId, now))
      await lockOrganization(tx, organizationId)
      const { count } = await tx.validator.updateMany({ where, data: { removedAt: null, restorableUntil: null } })
      return count === 1 ? validatorOf({ ...removed, removedAt: null, restorableUntil: null }) : undefined
    })
    if (restored) this.wake(restored)
    return restored
  }

  /** One transaction of an organization at a time. */
  private run<T>({ organizationId }: Pick<Creator, 'organizationId'>, work: (tx: StakingTransaction) => Promise<T>): Promise<T> {
    return this.turns.run(`organization ${organizationId}`, () => this.database.$transaction(work))
  }

  private async findProblem(chain: string): Promise<string | undefined> {
    return (await this.database.chainProblem.findUnique({ where: { chain } }))?.reason ?? undefined
  }

  private announce(
    tx: StakingTransaction,
    { organizationId, chainName, pubkey }: OwnedValidator,
    change: Change,
    { userId, at }: Requested,
  ): Promise<void> {
    const validator = { organizationId, chain: chainName, pubkey: pubkey.toString('hex') }
    return this.outbox.add(tx, validatorUpdateRequested, { userId, ...validator, change, requestedAt: at.toISOString() })
  }

  /** The reconciler need not wait for its next pass. */
  private wake({ chainName }: OwnedValidator): void {
    this.broadcasts.publish(validatorChangeRequested, { chain: chainName })
    this.outbox.wake()
  }
}

const DAY_MS = 24 * 3600_000

/** Removed not too long ago, and with its key at its signer; or staking: then its owner must be able to exit it. */
function restorable(now: Date) {
  return {
    removedAt: { not: null },
    OR: [
      { restorableUntil: { gt: now }, releasedAt: null },
      { depositedAt: { not: null }, withdrawnAt: null },
    ],
  }
}

/** This user adds no other validator, in whichever organization, until the transaction ends. */
async function countFor(tx: StakingTransaction, userId: string, now: Date): Promise<ValidatorCounts> {
  await tx.$executeRawUnsafe(ROW_LOCK, `user ${userId}`)
  const owned = await tx.validator.count({ where: { userId, removedAt: null } })
  const createdToday = await tx.validator.count({ where: { userId, createdAt: { gt: new Date(now.getTime() - DAY_MS) } } })
  return { owned, createdToday }
}

function validatorOf(row: ValidatorRow): OwnedValidator {
  const { chain, userId, organizationId, createdAt, depositData, requestHash, unexplainedGwei, consolidatedInto } = row
  const hash = requestHash ? Buffer.from(requestHash) : undefined
  const stored = {
    userId,
    organizationId,
    createdAt,
    depositData: Buffer.from(depositData),
    requestHash: hash,
    unexplainedGwei,
    consolidatedInto,
  }
  return { ...recordOf(row), chainName: chain, ...stored }
}

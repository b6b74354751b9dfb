import { Injectable } from '@nestjs/common'
import { BillingAddress, EntityType } from '@trestle/contracts/accounts/users'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { Prisma, type User as UserRow } from '../generated/prisma/client.js'
import type { Position } from '../paging/cursor.js'
import type { Email } from './email.js'
import type { LinkedIdentity, PendingRegistration, Profile, User, UserRef } from './user.js'

@Injectable()
export class UsersRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async find(ref: UserRef, tx: AccountsTransaction = this.database): Promise<User | undefined> {
    // Service accounts are no users to anybody who signs in, resets a password or administers users.
    const row = await tx.user.findUnique({ where: { ...ref, serviceAccountOf: null } })
    return row ? fromUserRow(row) : undefined
  }

  async findInTransaction(tx: AccountsTransaction, emailCanonical: string): Promise<User | undefined> {
    const row = await tx.user.findUnique({ where: { emailCanonical } })
    return row ? fromUserRow(row) : undefined
  }

  async list({ limit, after, emailCanonical }: { limit: number; after?: Position; emailCanonical?: string }): Promise<User[]> {
    const rows = await this.database.user.findMany({
      where: {
        serviceAccountOf: null,
        emailCanonical,
        ...(after && { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }] }),
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    })
    return rows.map(fromUserRow)
  }

  /** Inserts a user unless the address has one; returns whether it did. */
  async insert(tx: AccountsTransaction, user: User): Promise<boolean> {
    const { count } = await tx.user.createMany({ data: user, skipDuplicates: true })
    return count === 1
  }

  /** Whether a user is still to be verified; keeps one that is from being removed, for a while. */
  async isUnverified(tx: AccountsTransaction, id: string, now: Date): Promise<boolean> {
    const { count } = await tx.user.updateMany({ where: { id, verifiedAt: null }, data: { updatedAt: now } })
    return count === 1
  }

  /** Marks a user as verified, once, with what was typed or whom a provider named at the sign-up; returns whether it did. */
  async updateVerified(tx: AccountsTransaction, id: string, signUp: PendingRegistration | undefined, now: Date): Promise<boolean> {
    const { identity, ...registration } = signUp ?? {}
    const { count } = await tx.user.updateMany({
      where: { id, verifiedAt: null },
      data: { ...registration, verifiedAt: now, updatedAt: now },
    })
    if (count === 1 && identity) await linkIdentity(tx, id, identity, now)
    return count === 1
  }

  async updateProfile(id: string, change: Partial<Profile>, updatedAt: Date): Promise<void> {
    await this.database.user.updateMany({ where: { id }, data: { ...change, updatedAt } })
  }

  /**
   * Changes a password if it is still the one that was checked; returns whether it was. Pending resets and sign-ups end, and
   * whoever read a mail to get here has verified the address.
   */
  async updatePassword(tx: AccountsTransaction, { id, passwordHash, verifiedAt }: User, replacement: string, now: Date): Promise<boolean> {
    await tx.emailToken.deleteMany({ where: { userId: id, purpose: 'password-reset' } })
    await tx.emailToken.updateMany({ where: { userId: id }, data: { registration: Prisma.DbNull } })
    const data = { passwordHash: replacement, updatedAt: now, verifiedAt: verifiedAt ?? now }
    const { count } = await tx.user.updateMany({ where: { id, passwordHash }, data })
    return count === 1
  }

  /** Makes room for an owner of the address who has proved it: whoever signed up with it has not. */
  async deleteUnverified(tx: AccountsTransaction, emailCanonical: string): Promise<void> {
    await tx.user.deleteMany({ where: { emailCanonical, verifiedAt: null, disabledAt: null } })
  }

  /** `outdated` where the user was signed out everywhere, or disabled, since the epoch. Tokens that were mailed to the old address end. */
  async updateEmail(
    tx: AccountsTransaction,
    { id, epoch }: { id: string; epoch?: number },
    { address, canonical }: Email,
    now: Date,
  ): Promise<'changed' | 'outdated' | 'in-use'> {
    await tx.emailToken.deleteMany({ where: { userId: id } })
    const where = { id, epoch, ...(epoch !== undefined && { disabledAt: null }) }
    const data = { email: address, emailCanonical: canonical, updatedAt: now }
    try {
      return (await tx.user.updateMany({ where, data })).count === 1 ? 'changed' : 'outdated'
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return 'in-use'
      throw error
    }
  }

  /** Whatever the password was, it is another one now. */
  async overwritePassword(tx: AccountsTransaction, id: string, passwordHash: string): Promise<void> {
    await tx.user.updateMany({ where: { id }, data: { passwordHash } })
  }

  /** Ends every key and its refresh tokens; access tokens end with the user's epoch. */
  async deleteClientKeys(tx: AccountsTransaction, userId: string, deletedAt: Date): Promise<void> {
    await tx.clientKey.updateMany({ where: { userId, deletedAt: null }, data: { deletedAt, epoch: { increment: 1 } } })
  }

  /** Those that an address linked which the user had since then. */
  async unlinkIdentitiesSince(tx: AccountsTransaction, userId: string, since: Date): Promise<void> {
    await tx.externalIdentity.deleteMany({ where: { userId, createdAt: { gte: since } } })
  }

  /** Whose row no other transaction changes until this one ends. */
  async lock(tx: AccountsTransaction, id: string): Promise<User | undefined> {
    await tx.$executeRaw`SELECT 1 FROM "user" WHERE id = ${id} FOR UPDATE`
    return this.find({ id }, tx)
  }

  /** With sessions, keys and tokens. */
  async delete(tx: AccountsTransaction, id: string): Promise<void> {
    await tx.user.deleteMany({ where: { id } })
  }

  /** The same password under a newer hash: nothing else about the user changes. */
  async updatePasswordHash({ id, passwordHash }: User, rehashed: string): Promise<void> {
    await this.database.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: rehashed } })
  }

  async updateDisabled(tx: AccountsTransaction, id: string, disabledAt: Date | null): Promise<boolean> {
    const { count } = await tx.user.updateMany({ where: { id, serviceAccountOf: null }, data: { disabledAt } })
    return count === 1
  }
}

/** Links an identity with a user, once: one that somebody has stays theirs. */
export async function linkIdentity(tx: AccountsTransaction, userId: string, identity: LinkedIdentity, now: Date): Promise<void> {
  await tx.externalIdentity.createMany({ data: { ...identity, userId, createdAt: now, lastUsedAt: now }, skipDuplicates: true })
}

export function fromUserRow({ entityType, billingAddress, verifiedAt, disabledAt, serviceAccountOf: _, ...row }: UserRow): User {
  return {
    ...row,
    entityType: EntityType.parse(entityType),
    billingAddress: BillingAddress.parse(billingAddress),
    verifiedAt: verifiedAt ?? undefined,
    disabledAt: disabledAt ?? undefined,
  }
}

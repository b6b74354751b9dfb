import type { organizationDissolved } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { unknownOrganization } from './auth-problems.js'

/** An organization that is gone, and the personal one of its last member, which has what it owned. */
export type Dissolution = PayloadOf<typeof organizationDissolved>

/** A transaction in progress, of pg or of Prisma. */
type OwnerTransaction =
  | { query(sql: string, values: unknown[]): Promise<{ rows: unknown[] }> }
  | { $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T> }

const FIND = 'SELECT heir_id FROM dissolved_organization WHERE organization_id = $1'

const SAVE = `
  INSERT INTO dissolved_organization (organization_id, heir_id, dissolved_at) VALUES ($1, $2, $3::timestamptz)
  ON CONFLICT (organization_id) DO NOTHING`

/**
 * Until the transaction ends nobody else adds anything to the organization, and it is not dissolved. Throws Problem `UnknownOrganization` if it
 * was: who is a member is known from memory, which is up to two seconds behind.
 */
export async function lockOrganization(transaction: OwnerTransaction, organizationId: string): Promise<void> {
  await rowsOf(transaction, ROW_LOCK, [`organization ${organizationId}`])
  if ((await rowsOf(transaction, FIND, [organizationId])).length > 0) throw unknownOrganization()
}

/** Nothing is added to the organization any more: what the same transaction then moves to the heir is all that there will ever be. */
export async function saveDissolution(transaction: OwnerTransaction, { organizationId, heirId, dissolvedAt }: Dissolution): Promise<void> {
  await rowsOf(transaction, ROW_LOCK, [`organization ${organizationId}`])
  await rowsOf(transaction, SAVE, [organizationId, heirId, dissolvedAt])
}

async function rowsOf(transaction: OwnerTransaction, sql: string, values: unknown[]): Promise<unknown[]> {
  if ('query' in transaction) return (await transaction.query(sql, values)).rows
  return transaction.$queryRawUnsafe<unknown[]>(sql, ...values)
}

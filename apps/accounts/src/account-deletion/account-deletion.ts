import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import { Problem } from '@trestle/problem/problem'

/** An account that is to be deleted, or was. */
export interface DeletionRecord {
  readonly userId: string
  readonly requestedAt: Date
  readonly dueAt: Date
  readonly closedAt?: Date
}

/** What a user has, and what becomes of it. */
export type Inventory = Pick<AccountDeletion, 'resources' | 'organizations' | 'unreachable'>

const HOUR_MS = 3600_000
/** Between the end of all tokens and the deletion, so that nothing is created after it. */
export const CLOSED_FOR_MS = 5 * 60_000
/** A deletion that could not begin is tried again so much later. */
export const POSTPONED_BY_MS = HOUR_MS
/** Services that were down for longer than their streams last, or were restored from a backup, still learn of it. */
export const ANNOUNCED_FOR_MS = 30 * 24 * HOUR_MS
export const ANNOUNCED_EVERY_MS = 24 * HOUR_MS

export function newDeletion(userId: string, graceHours: number, now: Date): DeletionRecord {
  return { userId, requestedAt: now, dueAt: new Date(now.getTime() + graceHours * HOUR_MS) }
}

/** What must be done before the account can be deleted, in the user's words. */
export function blockersOf({ resources, organizations }: Inventory): string[] {
  const owned = organizations.filter(({ effect }) => effect === 'blocks')
  const staking = resources.filter(({ effect }) => effect === 'blocks')
  return [
    ...owned.map(({ name }) => `You are the last owner of "${name}": make another member an owner, or remove the other members.`),
    ...staking.map(
      ({ kind, state, count }) =>
        `You have ${count} ${kind}${count === 1 ? '' : 's'} in the state ${state}: let ${count === 1 ? 'it' : 'them'} exit first.`,
    ),
  ]
}

export function describeDeletion(inventory: Inventory, deletion: DeletionRecord | undefined, graceHours: number): AccountDeletion {
  return {
    requestedAt: deletion?.requestedAt.toISOString(),
    dueAt: deletion?.dueAt.toISOString(),
    graceHours,
    ...inventory,
    blockers: blockersOf(inventory),
  }
}

export function deletionBlocked(blockers: readonly string[]): Problem {
  const errors = blockers.map((message) => ({ path: 'account', message }))
  return new Problem('conflict', 'DeletionBlocked', blockers.join(' '), { errors })
}

export function noDeletion(): Problem {
  return new Problem('conflict', 'NoDeletion', 'Your account is not to be deleted: there is nothing to cancel.')
}

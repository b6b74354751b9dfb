import type { ServiceAccount } from '@trestle/contracts/accounts/service-accounts'
import { Problem } from '@trestle/problem/problem'
import type { MemberRecord } from '../organizations/organization.js'

/** The row of a service account: a user without an address that anybody could sign in, reset a password or be invited by. */
export function serviceAccountUser(id: string, { organizationId, name }: { organizationId: string; name: string }, now: Date) {
  return {
    id,
    email: '',
    // No address: it has no @.
    emailCanonical: id,
    displayName: name,
    entityType: 'company',
    billingAddress: { country: '', zipCode: '', address: '', state: '' },
    // No hash: no password matches.
    passwordHash: '',
    // The release before removes users who do not verify.
    verifiedAt: now,
    createdAt: now,
    updatedAt: now,
    serviceAccountOf: organizationId,
  }
}

export function describeServiceAccount({ userId: id, displayName: name, roles, joinedAt }: MemberRecord): ServiceAccount {
  return { id, name, roles: [...roles], createdAt: joinedAt.toISOString() }
}

export function unknownServiceAccount(): Problem {
  return new Problem('unknown', 'UnknownServiceAccount', 'The organization has no service account with this id.')
}

import type { getMembership } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import type { OwnOrganization } from './organization.js'

type FormerRole = ReplyOf<typeof getMembership>['roles'][number]
const FORMER_ROLES: readonly FormerRole[] = ['owner', 'admin', 'member', 'auditor', 'billing']

/** The release before knows one organization of a user, and five roles. */
export function describeFormerMembership(organization: OwnOrganization | undefined): ReplyOf<typeof getMembership> {
  if (!organization) return { organization: null, roles: [] }
  const { id, name, roles } = organization
  return { organization: { id, name }, roles: FORMER_ROLES.filter((role) => roles.includes(role)) }
}

import { personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import type { TestUser } from './accounts.js'

/** What is said about the organization that a user has alone. */
export function personal({ id }: TestUser) {
  const permissions = ROLE_PERMISSIONS.owner
  return { id: personalOrganizationOf(id), name: 'Ada', roles: ['owner'], permissions, personal: true, createdAt: expect.any(String) }
}

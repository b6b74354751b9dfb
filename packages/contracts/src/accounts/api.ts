import { deliveryEndpoints } from '../delivery.js'
import { accountDeletion } from './account-deletion.js'
import { administration } from './administration.js'
import { approvals } from './approvals.js'
import { clientKeys } from './client-keys.js'
import { dataExport } from './data-export.js'
import { deviceLogins } from './device-logins.js'
import { discovery } from './discovery.js'
import { emailChanges } from './email-changes.js'
import { accountEvents } from './events.js'
import { identities } from './identities.js'
import { identityProviders } from './identity-providers.js'
import { mailbox } from './mailbox.js'
import { organizations } from './organizations.js'
import { policies } from './policies.js'
import { secondFactors } from './second-factors.js'
import { securityLog } from './security-log.js'
import { serviceAccounts } from './service-accounts.js'
import { sessions } from './sessions.js'
import { tokens } from './tokens.js'
import { users } from './users.js'

const delivery = deliveryEndpoints('')

/** Every endpoint of the accounts area: what it serves, what the sdk calls, what the OpenAPI document says. */
export const accounts = {
  users,
  emailChanges,
  dataExport,
  accountDeletion,
  sessions,
  identityProviders,
  identities,
  deviceLogins,
  secondFactors,
  clientKeys,
  tokens,
  discovery,
  events: accountEvents,
  organizations,
  policies,
  approvals,
  serviceAccounts,
  administration,
  securityLog,
  delivery,
  mailbox,
}

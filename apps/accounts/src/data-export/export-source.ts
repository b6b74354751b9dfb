import type { ExportedLine } from '@trestle/contracts/accounts/data-export'

/** One table of the export: SQL for a page of a user's rows, and how a row becomes a line. Secrets and hashes are not selected. */
export interface ExportSource {
  readonly kind: Exclude<ExportedLine['kind'], 'end'>
  readonly columns: readonly string[]
  readonly from: string
  /** Of the user $1, who has the e-mail address $2 and its canonical spelling $3. */
  readonly where: string
  /** Unique within the user; a page follows the one before in its order. */
  readonly key: readonly [column: string, type: string][]
}

const BY_TIME: ExportSource['key'] = [
  ['created_at', 'timestamptz'],
  ['id', 'text'],
]
const BY_TIME_AND_UUID: ExportSource['key'] = [
  ['created_at', 'timestamptz'],
  ['id', 'uuid'],
]

/** In the order of the export. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  {
    kind: 'profile',
    columns: ['id', 'email', 'displayName', 'entityType', 'billingAddress', 'verifiedAt', 'createdAt', 'updatedAt'],
    from: '"user"',
    where: 'id = $1',
    key: [['id', 'text']],
  },
  {
    kind: 'membership',
    columns: ['organizationId', 'roles', 'joinedAt'],
    from: 'member',
    where: 'user_id = $1',
    key: [['organization_id', 'text']],
  },
  {
    kind: 'invitation',
    columns: ['id', 'organizationId', 'email', 'roles', 'createdAt', 'expiresAt', 'acceptedAt'],
    from: 'invitation',
    where: 'email_canonical = $3',
    key: BY_TIME,
  },
  {
    kind: 'email-change',
    columns: ['id', 'email', 'formerEmail', 'createdAt', 'confirmedAt', 'expiresAt'],
    from: 'email_change',
    where: 'user_id = $1',
    key: BY_TIME,
  },
  {
    kind: 'identity',
    columns: ['id', 'issuer', 'subject', 'provider', 'name', 'email', 'createdAt', 'lastUsedAt'],
    from: 'external_identity',
    where: 'user_id = $1',
    key: [
      ['issuer', 'text'],
      ['subject', 'text'],
    ],
  },
  {
    kind: 'second-factor',
    columns: ['id', 'kind', 'name', 'createdAt', 'confirmedAt', 'usedAt'],
    from: 'second_factor',
    where: 'user_id = $1',
    key: BY_TIME,
  },
  {
    kind: 'session',
    columns: ['id', 'ip', 'userAgent', 'provider', 'client', 'createdAt', 'usedAt', 'expiresAt', 'endedAt'],
    from: 'session',
    where: 'user_id = $1',
    key: BY_TIME,
  },
  {
    kind: 'client-key',
    columns: [
      ...['id', 'name', 'organizationId', 'scopes', 'perSecond', 'perDay', 'allowedIps', 'createdAt', 'expiresAt'],
      ...['lastUsedAt', 'lastUsedFrom', 'deletedAt'],
    ],
    from: 'client_key',
    where: 'user_id = $1',
    key: BY_TIME,
  },
  {
    kind: 'mail',
    columns: ['id', 'recipient', 'subject', 'state', 'createdAt', 'sentAt'],
    from: 'mail',
    where: 'recipient IN ($2, $3)',
    key: BY_TIME,
  },
  {
    kind: 'security-event',
    columns: [
      ...['id', 'kind', 'outcome', 'userId', 'session', 'clientKey', 'attempted', 'clientAddress', 'userAgent', 'service', 'method'],
      ...['route', 'target', 'status', 'code', 'requestId', 'createdAt'],
    ],
    from: 'security_event',
    where: 'user_id = $1',
    key: BY_TIME_AND_UUID,
  },
  {
    kind: 'activity',
    columns: ['id', 'userId', 'service', 'input', 'output', 'serviceData', 'createdAt'],
    from: 'event',
    // Not what others called in an organization.
    where: `user_id = $1 AND (organization_id IS NULL OR organization_id = replace($1, 'user-', 'org-') OR service_data ? 'actor')`,
    key: BY_TIME_AND_UUID,
  },
]

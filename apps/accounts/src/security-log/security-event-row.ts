import { SecurityEvent, type SecurityEventKind } from '@trestle/contracts/security-event'
import { storableJson } from '@trestle/messaging/storable-json'
import { type PartitionedTable, storableTime } from '../partitions/partition.js'

export interface SecurityEventRow {
  readonly id: string
  readonly kind: SecurityEventKind
  readonly outcome: SecurityEvent['outcome']
  readonly userId: string | null
  readonly session: string | null
  readonly clientKey: string | null
  readonly attempted: string | null
  readonly clientAddress: string
  readonly userAgent: string | null
  readonly service: string
  readonly method: string
  readonly route: string
  readonly target: string
  readonly status: number
  readonly code: string | null
  readonly requestId: string
  readonly createdAt: Date
}

/** pg returns JSON parsed. */
export type StoredSecurityEvent = Omit<SecurityEventRow, 'target'> & { readonly target: unknown }

export const SECURITY_ID = 'security'

export function uuidOf(id: string): string {
  return id.slice(`${SECURITY_ID}-`.length)
}

export function toSecurityEventRow(event: SecurityEvent, table: PartitionedTable, now: Date): SecurityEventRow {
  const { user, session, clientKey, attempted, userAgent, code, target, ...rest } = event
  return {
    ...rest,
    id: uuidOf(event.id),
    userId: user ?? null,
    session: session ?? null,
    clientKey: clientKey ?? null,
    attempted: attempted ?? null,
    userAgent: userAgent ?? null,
    code: code ?? null,
    target: storableJson(target),
    createdAt: storableTime(table, new Date(event.createdAt), now),
  }
}

export function toSecurityEvent({ id, userId, createdAt, ...row }: StoredSecurityEvent): SecurityEvent {
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
  const user = userId === null ? {} : { user: userId }
  return SecurityEvent.parse({ id: `${SECURITY_ID}-${id}`, ...user, ...present, createdAt: createdAt.toISOString() })
}

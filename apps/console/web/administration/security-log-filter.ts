import type { SecurityEvent, SecurityEventKind } from '@trestle/contracts/security-event'

export interface SecurityLogFilter {
  /** A user's id or an e-mail address. */
  readonly who: string
  readonly kind: SecurityEventKind | null
  readonly outcome: SecurityEvent['outcome'] | null
  readonly days: '1' | '7' | '30' | '365'
}

export const NO_SECURITY_FILTER: SecurityLogFilter = { who: '', kind: null, outcome: null, days: '1' }

const DAY_MS = 24 * 3600_000

export function securityLogQuery({ who, kind, outcome, days }: SecurityLogFilter, now: number) {
  const name = who.trim()
  return {
    from: new Date(now - Number(days) * DAY_MS).toISOString(),
    ...(name && (name.includes('@') ? { email: name } : { user: name })),
    ...(kind && { kind }),
    ...(outcome && { outcome }),
  }
}

/** Who acted, as far as it is known. */
export function actorOf({ user, clientKey, attempted }: SecurityEvent): string {
  return [user ?? attempted?.slice(0, 12), clientKey].filter(Boolean).join(' ')
}

/** Through what, and on what. */
export function actOf({ service, method, route, target }: SecurityEvent): string {
  return [service, method, route, ...Object.entries(target).map(([name, value]) => `${name}=${value}`)].join(' ')
}

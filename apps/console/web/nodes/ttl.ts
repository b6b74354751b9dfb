/** How long something runs before it is stopped by itself: seconds, or as long as the plan. */
export const TTLS = ['3600', '86400', '604800', '2592000', '31536000', 'plan'] as const
export type Ttl = (typeof TTLS)[number]

/** The API takes no less and no more. */
const MIN_TTL_SECONDS = 60
const MAX_TTL_SECONDS = 10 * 366 * 86_400

export function isTtl(value: string): value is Ttl {
  return TTLS.some((ttl) => ttl === value)
}

/** In seconds from now. */
export function ttlSeconds(ttl: Ttl, planEnds: Date, now: Date): number {
  if (ttl !== 'plan') return Number(ttl)
  return Math.min(Math.max(Math.ceil((planEnds.getTime() - now.getTime()) / 1000), MIN_TTL_SECONDS), MAX_TTL_SECONDS)
}

export function ttlChoices(labels: Readonly<Record<Ttl, string>>): { value: Ttl; label: string }[] {
  return TTLS.map((value) => ({ value, label: labels[value] }))
}

import { isTtl, type Ttl, ttlSeconds } from './ttl.js'

interface LifetimeForm {
  readonly ttl: Ttl
}

export const DAY_LONG: LifetimeForm = { ttl: '86400' }

/** What is not among the choices changes nothing. */
export function reduceLifetime(form: LifetimeForm, { value }: { readonly value: string }): LifetimeForm {
  return isTtl(value) ? { ttl: value } : form
}

export function lifetimeBody({ ttl }: LifetimeForm, planEnds: string, now: Date): { ttl: number } {
  return { ttl: ttlSeconds(ttl, new Date(planEnds), now) }
}

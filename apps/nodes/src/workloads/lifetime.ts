import type { GrantedPlan } from '../plans/granted-plan.js'

/** When it stops by itself: never after its owner's plan. */
export function expiryOf({ ttl }: { readonly ttl?: number }, { expiresAt }: Pick<GrantedPlan, 'expiresAt'>, now: Date): Date {
  const wished = ttl === undefined ? expiresAt.getTime() : now.getTime() + ttl * 1000
  return new Date(Math.min(wished, expiresAt.getTime()))
}

import type { Caller } from '@trestle/contracts/caller'
import { organizationNeedsFactor, stepUpRequired } from './auth-problems.js'
import type { Policy } from './policy.js'

/** How old the proof of a second factor may be where an endpoint demands a fresh one. */
export const STEP_UP_MAX_AGE_SECONDS = 600

/** Problem `StepUpRequired` if this caller needs a fresh second factor and has none. */
export function requireFreshFactor(caller: Caller, now: Date): void {
  if (requiresFactor(caller) && !hasFreshFactor(caller, now)) throw stepUpRequired(STEP_UP_MAX_AGE_SECONDS)
}

export function hasFreshFactor({ factorProvenAt = Number.NEGATIVE_INFINITY }: Caller, now: Date): boolean {
  return now.getTime() / 1000 - factorProvenAt <= STEP_UP_MAX_AGE_SECONDS
}

/**
 * Whom a step-up binds: users who have a second factor. Their tokens say when it was proven, since the first factor of a user ends all
 * tokens from before. Programs with client keys are bound by scopes.
 */
export function requiresFactor({ kind, factorProvenAt }: Caller): boolean {
  return kind === 'account' && factorProvenAt !== undefined
}

type Actor = Pick<Caller, 'kind' | 'factorProvenAt'>

/** Whether an organization demands a second factor of a caller who has proven none. */
export function lacksFactorFor({ kind, factorProvenAt }: Actor, { requireSecondFactor }: Pick<Policy, 'requireSecondFactor'>): boolean {
  return requireSecondFactor && kind === 'account' && factorProvenAt === undefined
}

/** Problem `FactorRequired` for a caller who may not act under this policy. */
export function requireFactorFor(actor: Actor, policy: Pick<Policy, 'requireSecondFactor'>): void {
  if (lacksFactorFor(actor, policy)) throw organizationNeedsFactor()
}

import type { LimitGrant, MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import { METHOD_NAMESPACES } from '@trestle/contracts/eth-rpc/projects'

/** As the contract has it: more is no limit of a project. */
export const MAX_LIMITS = { perSecond: 1_000_000_000, perDay: 1_000_000_000_000_000 }

export interface LimitsForm {
  /** Text where the field holds no number. */
  readonly perSecond: number | string
  readonly perDay: number | string
  readonly namespaces: readonly string[]
}

export function limitsForm({ perSecond, perDay, namespaces = [] }: MaxLimits): LimitsForm {
  return { perSecond, perDay, namespaces }
}

export function canGrantLimits({ perSecond, perDay }: LimitsForm): boolean {
  return isLimit(perSecond, MAX_LIMITS.perSecond) && isLimit(perDay, MAX_LIMITS.perDay)
}

export function limitsBody({ perSecond, perDay, namespaces }: LimitsForm): LimitGrant {
  const granted = METHOD_NAMESPACES.filter((namespace) => namespaces.includes(namespace))
  return { perSecond: Number(perSecond), perDay: Number(perDay), namespaces: granted }
}

function isLimit(value: number | string, max: number): boolean {
  return value !== '' && Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= max
}

/** As the contract has it: more is no limit of a project. */
export const MAX_LIMITS = { perSecond: 1_000_000_000, perDay: 1_000_000_000_000_000 }

export interface LimitsForm {
  /** Text where the field holds no number. */
  readonly perSecond: number | string
  readonly perDay: number | string
}

export function limitsForm({ perSecond, perDay }: { perSecond: number; perDay: number }): LimitsForm {
  return { perSecond, perDay }
}

export function canGrantLimits({ perSecond, perDay }: LimitsForm): boolean {
  return isLimit(perSecond, MAX_LIMITS.perSecond) && isLimit(perDay, MAX_LIMITS.perDay)
}

export function limitsBody({ perSecond, perDay }: LimitsForm) {
  return { perSecond: Number(perSecond), perDay: Number(perDay) }
}

function isLimit(value: number | string, max: number): boolean {
  return value !== '' && Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= max
}

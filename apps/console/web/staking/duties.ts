import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import type { StripState } from '../parts/chart/strip.js'

export const DUTIES = ['attestations', 'proposals', 'syncDuties'] as const
type Duty = (typeof DUTIES)[number]

export interface DutyCount {
  readonly due: number
  readonly missed: number
}

const MISSED = { attestations: 'missedAttestations', proposals: 'missedProposals', syncDuties: 'missedSyncDuties' } as const
/** Above this share of missed duties something is wrong. */
const BAD_SHARE = 0.05

/** The duties of these days, added up; undefined where no day has data. */
export function countDuties(days: readonly ValidatorDay[], duty: Duty): DutyCount | undefined {
  const known = days.filter((day) => day[duty] !== null)
  if (known.length === 0 && days.length > 0) return undefined
  const sum = (name: Duty | (typeof MISSED)[Duty]) => known.reduce((all, day) => all + (day[name] ?? 0), 0)
  return { due: sum(duty), missed: sum(MISSED[duty]) }
}

export function dutyState(counted: DutyCount | undefined): StripState {
  if (counted === undefined) return 'unknown'
  const { due, missed } = counted
  if (due === 0) return 'none'
  if (missed === 0) return 'good'
  return missed / due < BAD_SHARE ? 'some' : 'bad'
}

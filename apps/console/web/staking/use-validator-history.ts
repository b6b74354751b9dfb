import { useQuery } from '@tanstack/react-query'
import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import type { Validator } from '@trestle/contracts/staking/validators'
import { type ChartRange, type Period, periodsOf, utcDay } from '../parts/days.js'
import { platformClient } from '../platform/client.js'

/** The days of one period of a range. */
export interface HistoryPeriod extends Period {
  readonly days: readonly ValidatorDay[]
}

export type HistoryQuery = ReturnType<typeof useValidatorHistory>

/** The days of a range by period, in one request. */
export function useValidatorHistory({ chain, pubkey, index }: Validator, range: ChartRange) {
  const periods = periodsOf(range, utcDay(new Date()))
  const [from, to] = [periods[0]?.from, periods.at(-1)?.to]
  return useQuery({
    queryKey: ['staking', 'days', chain, pubkey, from, to],
    queryFn: () => platformClient.staking.performance.days({ params: { chain, pubkey }, query: { from, to } }),
    // Before the chain knows it there are none.
    enabled: index !== null,
    refetchInterval: range === 'week' ? 10_000 : 60_000,
    select: (days): HistoryPeriod[] =>
      periods.map((period) => ({ ...period, days: days.filter(({ date }) => date >= period.from && date <= period.to) })),
  })
}

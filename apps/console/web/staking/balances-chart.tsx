import type { Validator } from '@trestle/contracts/staking/validators'
import { Chart } from '../parts/chart/chart.js'
import type { ChartRange } from '../parts/days.js'
import { stakingTexts } from '../texts/staking.js'
import { LiveBalanceChart } from './live-balance-chart.js'
import { ethHeight, ethLabel, formatEth } from './money.js'
import type { HistoryPeriod } from './use-validator-history.js'

const texts = stakingTexts.earnings

interface BalancesProps {
  validator: Validator
  range: ChartRange
  periods: readonly HistoryPeriod[] | undefined
}

/** Its balance at the end of each period; live balances while there are too few for a chart. */
export function BalancesChart({ validator, range, periods = [] }: BalancesProps) {
  const balances = periods.map(({ days }) => days.at(-1)?.balance).map((balance) => (balance === undefined ? undefined : BigInt(balance)))
  const known = balances.filter((balance) => balance !== undefined)
  if (known.length < 2) return <LiveBalanceChart validator={validator} />
  const [lowest = 0n] = known.toSorted((one, other) => (one < other ? -1 : 1))
  return (
    <Chart
      title={texts.balances(texts.periods[range], formatEth(lowest))}
      kind="line"
      height={160}
      labels={periods.map(({ label }) => label)}
      format={ethLabel}
      series={[
        {
          name: texts.balanceSeries,
          color: 'var(--mantine-color-teal-6)',
          values: balances.map((balance) => (balance === undefined ? undefined : ethHeight(balance - lowest))),
        },
      ]}
    />
  )
}

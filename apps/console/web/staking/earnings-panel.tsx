import { SegmentedControl, Text } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Chart } from '../parts/chart/chart.js'
import { CHART_RANGES, type ChartRange, periodsOf, utcDay } from '../parts/days.js'
import { keysOf } from '../parts/keys.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { stakingTexts } from '../texts/staking.js'
import { BalancesChart } from './balances-chart.js'
import { runningNet, sumEarned } from './earned.js'
import { ethHeight, ethLabel, formatEth } from './money.js'
import type { HistoryQuery } from './use-validator-history.js'

const texts = stakingTexts.earnings
const COLORS = {
  consensus: 'var(--mantine-color-teal-6)',
  execution: 'var(--mantine-color-blue-6)',
  penalties: 'var(--mantine-color-red-6)',
}

interface EarningsProps {
  validator: Validator
  range: ChartRange
  onRange: (range: ChartRange) => void
  query: HistoryQuery
}

/** What it has earned and lost, by period of a range. */
export function EarningsPanel({ validator, range, onRange, query }: EarningsProps) {
  return (
    <Panel
      title={texts.title}
      action={
        <SegmentedControl
          aria-label={texts.range}
          size="xs"
          data={keysOf(CHART_RANGES).map((value) => ({ value, label: texts.ranges[value] }))}
          value={range}
          onChange={onRange}
        />
      }
    >
      {query.error && <ProblemNotice error={query.error} retry={query.refetch} />}
      {validator.activatedAt === null ? <Text c="dimmed">{texts.notYet}</Text> : <EarningsCharts range={range} query={query} />}
      {validator.index !== null && <BalancesChart validator={validator} range={range} periods={query.data} />}
      <Text size="xs" c="dimmed">
        {texts.days}
      </Text>
    </Panel>
  )
}

function EarningsCharts({ range, query: { data } }: Pick<EarningsProps, 'range' | 'query'>) {
  const periods = data ?? periodsOf(range, utcDay(new Date()))
  const labels = periods.map(({ label }) => label)
  const earned = data?.map(({ days }) => sumEarned(days)) ?? []
  const nets = runningNet(earned)
  const total = nets.at(-1)
  return (
    <>
      <Text mih={24} aria-live="polite">
        {texts.net}: <b>{total === undefined ? '…' : formatEth(total)}</b>
      </Text>
      <Chart
        title={texts.perPeriod[range]}
        kind="bars"
        labels={labels}
        format={ethLabel}
        series={(['consensus', 'execution', 'penalties'] as const).map((name) => ({
          name: texts[name],
          color: COLORS[name],
          values: earned.map((each) => ethHeight(each[name])),
        }))}
      />
      <Chart
        title={texts.added}
        kind="line"
        labels={labels}
        format={ethLabel}
        height={160}
        series={[{ name: texts.netSeries, color: COLORS.consensus, values: nets.map(ethHeight) }]}
      />
    </>
  )
}

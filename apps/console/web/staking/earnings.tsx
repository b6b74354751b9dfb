import { Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Chart } from '../parts/chart/chart.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { staking } from '../texts/staking.js'
import { Balances } from './balances.js'
import { dayOf, piecesOf, RANGES, type Range } from './days.js'
import { earnedOf, netsOf } from './earned.js'
import { eth, ethHeight, ethLabel } from './money.js'
import type { CourseQuery } from './use-course.js'

const texts = staking.earnings
const COLORS = {
  consensus: 'var(--mantine-color-teal-6)',
  execution: 'var(--mantine-color-blue-6)',
  penalties: 'var(--mantine-color-red-6)',
}

interface EarningsProps {
  validator: Validator
  range: Range
  onRange: (range: Range) => void
  query: CourseQuery
}

/** What it has earned and lost, piece by piece of a range. */
export function Earnings({ validator, range, onRange, query }: EarningsProps) {
  return (
    <Card withBorder p="lg" component="section" aria-label={texts.title}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.title}
          </Title>
          <SegmentedControl
            aria-label={texts.range}
            size="xs"
            data={Object.keys(RANGES).map((value) => ({ value, label: texts.ranges[value as Range] }))}
            value={range}
            onChange={(value) => onRange(value as Range)}
          />
        </Group>
        {query.error && <ProblemNotice error={query.error} retry={query.refetch} />}
        {validator.activatedAt === null ? <Text c="dimmed">{texts.notYet}</Text> : <Pictures range={range} query={query} />}
        {validator.index !== null && <Balances validator={validator} range={range} pieces={query.data} />}
        <Text size="xs" c="dimmed">
          {texts.days}
        </Text>
      </Stack>
    </Card>
  )
}

function Pictures({ range, query: { data } }: Pick<EarningsProps, 'range' | 'query'>) {
  const pieces = data ?? piecesOf(range, dayOf(new Date()))
  const labels = pieces.map(({ label }) => label)
  const earned = data?.map(({ days }) => earnedOf(days)) ?? []
  const nets = netsOf(earned)
  const total = nets.at(-1)
  return (
    <>
      <Text mih={24} aria-live="polite">
        {texts.net}: <b>{total === undefined ? '…' : eth(total)}</b>
      </Text>
      <Chart
        title={texts.perPiece[range]}
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

import { Card, Group, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'
import { useState } from 'react'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { EmptyState } from '../parts/empty-state.js'
import { keysOf } from '../parts/keys.js'
import { Loaded } from '../parts/loaded.js'
import { latencyPercentile, percentOf, periodStarts, totalUsage, usageByMethod, usageByTime } from '../parts/usage.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { useEthereumChain } from './chain.js'
import { MethodTable } from './usage-table.js'

const texts = ethereumTexts.usage

const HOUR_MS = 3_600_000
/** The length of each range, and its granularity. */
const RANGES = {
  day: { hours: 23, granularity: 'hour' },
  week: { hours: 7 * 24 - 1, granularity: 'hour' },
  month: { hours: 29 * 24, granularity: 'day' },
  quarter: { hours: 89 * 24, granularity: 'day' },
} as const
type Range = keyof typeof RANGES

/** The usage of a project. */
export function UsageTab({ project: { id } }: { project: Project }) {
  const { chain, api } = useEthereumChain()
  const [range, setRange] = useState<Range>('day')
  const [method, setMethod] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['ethereum', 'usage', chain, id, range],
    queryFn: () => {
      const { hours, granularity } = RANGES[range]
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      return api.usage.list({ params: { projectId: id }, query: { from, granularity } })
    },
    refetchInterval: 10_000,
    placeholderData: (before) => before,
  })
  return (
    <Stack gap="lg">
      <Group align="flex-end">
        <SegmentedControl
          aria-label={texts.range}
          value={range}
          onChange={setRange}
          data={keysOf(RANGES).map((value) => ({ value, label: texts.ranges[value] }))}
        />
        <Select
          label={texts.method}
          placeholder={texts.allMethods}
          data={usageByMethod(query.data?.usage ?? []).map((each) => each.method)}
          value={method}
          onChange={setMethod}
          clearable
          clearButtonProps={{ 'aria-label': texts.allMethods }}
          searchable
        />
      </Group>
      <Loaded query={query} rows={10}>
        {(answer) => {
          const usage = answer.usage.filter((each) => method === null || each.method === method)
          if (usage.length === 0) return <EmptyState title={texts.none.title} text={texts.none.text} />
          return (
            <>
              <Totals usage={usage} />
              <UsageCharts {...answer} usage={usage} />
              <MethodTable usage={usage} />
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

function Totals({ usage }: { usage: readonly MethodUsage[] }) {
  const sums = totalUsage(usage)
  const { calls, errors, computeUnits, cacheHits, bytesOut } = sums
  const figures = [
    [texts.calls, formatCount(calls)],
    [texts.errors, `${formatCount(errors)} (${texts.percent(percentOf(errors, calls))})`],
    [texts.computeUnits, formatCount(computeUnits)],
    [texts.cacheHits, texts.percent(percentOf(cacheHits, calls))],
    [texts.latency, texts.time(latencyPercentile(sums, 95))],
    [texts.bytesOut, formatBytes(bytesOut)],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      {figures.map(([label, value]) => (
        <Card key={label} withBorder padding="sm">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fw={650}>{value}</Text>
        </Card>
      ))}
    </SimpleGrid>
  )
}

const FIGURES = ['calls', 'latency', 'cacheHits', 'computeUnits', 'bytesOut'] as const
const FORMATS: Partial<Record<(typeof FIGURES)[number], (value: number) => string>> = {
  latency: texts.time,
  cacheHits: texts.percent,
  bytesOut: formatBytes,
}

interface PicturesProps {
  usage: readonly MethodUsage[]
  from: string
  to: string
  granularity: 'hour' | 'day'
}

function UsageCharts({ usage, ...range }: PicturesProps) {
  const times = periodStarts(range)
  const sums = usageByTime(usage, times, range.granularity)
  const labels = times.map(texts.moment[range.granularity])
  const main = 'var(--mantine-primary-color-filled)'
  const series = {
    calls: [
      { name: texts.calls, color: main, values: sums.map(({ calls }) => calls) },
      { name: texts.errors, color: 'var(--mantine-color-red-filled)', values: sums.map(({ errors }) => errors) },
    ],
    computeUnits: [{ name: texts.computeUnits, color: main, values: sums.map(({ computeUnits }) => computeUnits) }],
    cacheHits: [{ name: texts.cacheHits, color: main, values: sums.map(({ cacheHits, calls }) => percentOf(cacheHits, calls)) }],
    latency: [
      { name: texts.p50, color: main, values: sums.map((each) => latencyPercentile(each, 50)) },
      { name: texts.p95, color: 'var(--mantine-color-orange-filled)', values: sums.map((each) => latencyPercentile(each, 95)) },
    ],
    bytesOut: [{ name: texts.bytesOut, color: main, values: sums.map(({ bytesOut }) => bytesOut) }],
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {FIGURES.map((figure) => (
          <Card key={figure} withBorder miw={0}>
            <Chart title={texts.titles[figure]} kind="bars" labels={labels} series={series[figure]} format={FORMATS[figure]} />
          </Card>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {texts.utc}
      </Text>
    </>
  )
}

import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { NodeUsage } from '@trestle/contracts/nodes/usage'
import { useState } from 'react'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { FactList } from '../parts/fact-list.js'
import { keysOf } from '../parts/keys.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { type MethodTotals, percentOf, periodStarts, totalUsage, usageByMethod, usageByTime } from '../parts/usage.js'
import { platformClient } from '../platform/client.js'
import { nodesTexts } from '../texts/nodes.js'
import type { NodeOrClusterKind } from './workload.js'

const texts = nodesTexts.metrics
const RANGES = { day: 1, week: 7, month: 31 } as const
type Range = keyof typeof RANGES
const DAY_MS = 86_400_000

/** Calls over time and by method. */
export function MetricsPanel({ kind, id }: { kind: NodeOrClusterKind; id: string }) {
  const [range, setRange] = useState<Range>('day')
  const query = useQuery({
    queryKey: ['nodes', kind, 'usage', id, range],
    queryFn: () => usageOf(kind, id, new Date(Date.now() - RANGES[range] * DAY_MS)),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={texts.range}
        value={range}
        onChange={setRange}
        data={keysOf(RANGES).map((value) => ({ value, label: texts.ranges[value] }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <Loaded query={query} rows={10}>
        {(usage) => (usage.usage.length === 0 ? <EmptyState title={texts.none} text={texts.noneText} /> : <UsageCharts {...usage} />)}
      </Loaded>
    </Stack>
  )
}

function usageOf(kind: NodeOrClusterKind, id: string, from: Date): Promise<NodeUsage> {
  const given = { params: { id }, query: { from: from.toISOString() } }
  return kind === 'node' ? platformClient.nodes.usage.ofNode(given) : platformClient.nodes.usage.ofCluster(given)
}

const hour = new Intl.DateTimeFormat('en', { weekday: 'short', hour: '2-digit', minute: '2-digit', hour12: false })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LABELS = { hour, day }

function UsageCharts({ from, to, usage }: NodeUsage) {
  const granularity = Date.parse(to) - Date.parse(from) > 8 * DAY_MS ? 'day' : 'hour'
  const times = periodStarts({ from, to, granularity })
  const totals = usageByTime(usage, times, granularity)
  const labels = times.map((time) => LABELS[granularity].format(new Date(time)))
  const { calls, errors, bytesOut } = totalUsage(usage)
  return (
    <Stack gap="xl">
      <FactList
        columns={4}
        facts={[
          [texts.calls, formatCount(calls)],
          [texts.errors, formatCount(errors)],
          [texts.errorRate, failedOf({ calls, errors })],
          [texts.sent, formatBytes(bytesOut)],
        ]}
      />
      <Chart
        title={texts.callsOverTime[granularity]}
        kind="bars"
        labels={labels}
        format={formatCount}
        series={[
          { name: texts.calls, color: 'var(--mantine-color-cyan-6)', values: totals.map(({ calls }) => calls) },
          { name: texts.errors, color: 'var(--mantine-color-red-6)', values: totals.map(({ errors }) => errors) },
        ]}
      />
      <Chart
        title={texts.bytesOverTime[granularity]}
        kind="line"
        labels={labels}
        format={formatBytes}
        series={[{ name: texts.sent, color: 'var(--mantine-color-violet-6)', values: totals.map(({ bytesOut }) => bytesOut) }]}
      />
      <Methods usage={usage} />
    </Stack>
  )
}

const COLUMNS: Column<MethodTotals>[] = [
  {
    name: 'method',
    header: texts.columns.method,
    width: '2fr',
    cell: ({ method }) => <Text className="mono">{method === 'other' ? texts.refused : method}</Text>,
  },
  { name: 'calls', header: texts.columns.calls, align: 'right', cell: ({ calls }) => formatCount(calls) },
  { name: 'errors', header: texts.columns.errors, align: 'right', cell: ({ errors }) => formatCount(errors) },
  { name: 'errorRate', header: texts.columns.errorRate, align: 'right', cell: failedOf },
  { name: 'bytes', header: texts.columns.bytes, align: 'right', cell: ({ bytesOut }) => formatBytes(bytesOut) },
]

function Methods({ usage }: Pick<NodeUsage, 'usage'>) {
  return (
    <Stack gap="xs">
      <Group>
        <SectionTitle>{texts.byMethod}</SectionTitle>
      </Group>
      <DataTable label={texts.byMethod} rows={usageByMethod(usage)} columns={COLUMNS} keyOf={({ method }) => method} />
    </Stack>
  )
}

function failedOf({ calls, errors }: Pick<MethodTotals, 'calls' | 'errors'>): string {
  return `${Math.round((percentOf(errors, calls) ?? 0) * 10) / 10} %`
}

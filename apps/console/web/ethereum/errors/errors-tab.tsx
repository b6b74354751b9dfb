import { Card, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ErrorCount, UNKNOWN_METHOD } from '@trestle/contracts/eth-rpc/failures'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { useState } from 'react'
import { formatCount } from '../../parts/amount.js'
import { Chart } from '../../parts/chart/chart.js'
import { type Column, DataTable } from '../../parts/data-table.js'
import { EmptyState } from '../../parts/empty-state.js'
import { keysOf } from '../../parts/keys.js'
import { Loaded } from '../../parts/loaded.js'
import { SectionTitle } from '../../parts/panel.js'
import { periodStarts } from '../../parts/usage.js'
import { failureTexts as texts } from '../../texts/failures.js'
import { useEthereumChain } from '../chain.js'
import { type ErrorTotal, errorsByCode, errorsByTime } from './error-totals.js'
import { FailuresSection } from './failures-section.js'
import { KindTag } from './kind-tag.js'

const HOUR_MS = 3_600_000
/** The length of each range, and its granularity. */
const RANGES = {
  day: { hours: 23, granularity: 'hour' },
  week: { hours: 7 * 24 - 1, granularity: 'hour' },
  month: { hours: 29 * 24, granularity: 'day' },
} as const
type Range = keyof typeof RANGES

/** Why calls of a project failed. */
export function ErrorsTab({ project }: { project: Project }) {
  const { chain, api } = useEthereumChain()
  const [range, setRange] = useState<Range>('day')
  const query = useQuery({
    queryKey: ['ethereum', 'errors', chain, project.id, range],
    queryFn: () => {
      const { hours, granularity } = RANGES[range]
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      return api.errors.list({ params: { projectId: project.id }, query: { from, granularity } })
    },
    refetchInterval: 10_000,
    placeholderData: (before) => before,
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
      <Loaded query={query} rows={6}>
        {(answer) => (answer.errors.length === 0 ? <EmptyState {...texts.none} /> : <ErrorSums {...answer} />)}
      </Loaded>
      <FailuresSection project={project} />
    </Stack>
  )
}

interface SumsProps {
  errors: readonly ErrorCount[]
  from: string
  to: string
  granularity: 'hour' | 'day'
}

function ErrorSums({ errors, ...range }: SumsProps) {
  const times = periodStarts(range)
  const values = errorsByTime(errors, times)
  return (
    <>
      <Card withBorder miw={0}>
        <Chart
          title={texts.title}
          kind="bars"
          labels={times.map(texts.moment[range.granularity])}
          series={[{ name: texts.title, color: 'var(--mantine-color-red-filled)', values }]}
          height={140}
        />
      </Card>
      <Text size="sm" c="dimmed">
        {texts.utc}
      </Text>
      <Stack component="section" gap="xs">
        <SectionTitle>{texts.byMethod}</SectionTitle>
        <DataTable label={texts.byMethod} rows={errorsByCode(errors)} columns={COLUMNS} keyOf={({ method, code }) => `${method} ${code}`} />
      </Stack>
    </>
  )
}

const COLUMNS: readonly Column<ErrorTotal>[] = [
  { name: 'method', header: texts.method, width: '2fr', cell: ({ method }) => <Method name={method} /> },
  { name: 'code', header: texts.code, cell: ({ code }) => code },
  { name: 'kind', header: texts.kind, cell: ({ kind }) => <KindTag kind={kind} /> },
  { name: 'count', header: texts.calls, align: 'right', cell: ({ count }) => formatCount(count) },
]

function Method({ name }: { name: string }) {
  return name === UNKNOWN_METHOD ? texts.unknownMethod : <span className="mono">{name}</span>
}

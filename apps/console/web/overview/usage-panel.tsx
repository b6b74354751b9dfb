import { Box, SimpleGrid, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { formatCount } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { periodStarts, totalUsage, type UsageEntry, usageByTime } from '../parts/usage.js'
import { overviewTexts } from '../texts/overview.js'
import { useNodesUsage, useProjectsUsage } from './use-overview.js'

const texts = overviewTexts.usage
const DAY_MS = 86_400_000
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })

/** Calls in the last day, by hour. */
export function UsagePanel() {
  return (
    <Panel title={texts.title}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Usage title={texts.nodes} query={useNodesUsage()} />
        <Usage title={texts.projects} query={useProjectsUsage()} />
      </SimpleGrid>
    </Panel>
  )
}

function Usage({ title, query }: { title: string; query: Pick<UseQueryResult<UsageEntry[]>, 'data' | 'error' | 'refetch'> }) {
  return (
    <Box mih={240}>
      <Loaded query={query} rows={5}>
        {(usage) => <Hours title={title} usage={usage} />}
      </Loaded>
    </Box>
  )
}

function Hours({ title, usage }: { title: string; usage: readonly UsageEntry[] }) {
  const now = Date.now()
  const times = periodStarts({ from: new Date(now - DAY_MS).toISOString(), to: new Date(now).toISOString(), granularity: 'hour' })
  const totals = usageByTime(usage, times, 'hour')
  const { calls, errors } = totalUsage(usage)
  return (
    <>
      <Chart
        title={title}
        kind="bars"
        height={160}
        labels={times.map((time) => hour.format(new Date(time)))}
        format={formatCount}
        series={[
          { name: texts.calls, color: 'var(--mantine-color-cyan-6)', values: totals.map(({ calls }) => calls) },
          { name: texts.errors, color: 'var(--mantine-color-red-6)', values: totals.map(({ errors }) => errors) },
        ]}
      />
      <Text size="sm" c="dimmed">
        {calls === 0 ? texts.none : texts.sum(formatCount(calls), formatCount(errors))}
      </Text>
    </>
  )
}

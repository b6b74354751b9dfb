import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useClusters, useNodes } from '../nodes/use-nodes.js'
import { formatCount } from '../parts/amount.js'
import { overviewTexts } from '../texts/overview.js'
import { useAllProjects, useAllValidators } from './use-overview.js'

const texts = overviewTexts.running

/** Counts of nodes, clusters, validators and projects. */
export function RunningCounts() {
  return (
    <SimpleGrid component="section" aria-label={texts.title} cols={{ base: 2, sm: 4 }}>
      <CountCard to="/app/nodes" name={texts.nodes} query={useNodes()} detail={(all) => texts.ready(all.filter(isReady).length)} />
      <CountCard to="/app/clusters" name={texts.clusters} query={useClusters()} detail={(all) => texts.ready(all.filter(isReady).length)} />
      <CountCard
        to="/app/staking"
        name={texts.validators}
        query={useAllValidators()}
        detail={(all) => texts.active(all.filter(({ status }) => status === 'active').length)}
      />
      <CountCard to="/app/ethereum" name={texts.projects} query={useAllProjects()} />
    </SimpleGrid>
  )
}

interface CountedProps<T> {
  to: string
  name: string
  query: Pick<UseQueryResult<T[]>, 'data' | 'error'>
  detail?: (all: readonly T[]) => string
}

function CountCard<T>({ to, name, query: { data, error }, detail }: CountedProps<T>) {
  return (
    <Card withBorder renderRoot={(props) => <Link {...props} to={to} style={{ textDecoration: 'none', color: 'inherit' }} />}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {data ? (
        <Text fz={28} fw={650} lh={1.3}>
          {formatCount(data.length)}
        </Text>
      ) : (
        <Skeleton visible={!error} h={36} w={60}>
          <Text fz={28} fw={650} lh={1.3}>
            –
          </Text>
        </Skeleton>
      )}
      <Text size="sm" c="dimmed" mih={22}>
        {data ? (data.length === 0 ? texts.none : (detail?.(data) ?? ' ')) : error && texts.unknown}
      </Text>
    </Card>
  )
}

function isReady({ phase }: { phase: string }): boolean {
  return phase === 'ready'
}

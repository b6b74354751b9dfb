import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useClusters, useNodes } from '../nodes/queries.js'
import { count } from '../parts/amount.js'
import { overview } from '../texts/overview.js'
import { useProjects, useValidators } from './queries.js'

const texts = overview.running

/** What there is, counted. */
export function Running() {
  return (
    <SimpleGrid component="section" aria-label={texts.title} cols={{ base: 2, sm: 4 }}>
      <Counted to="/app/nodes" name={texts.nodes} query={useNodes()} detail={(all) => texts.ready(all.filter(isReady).length)} />
      <Counted to="/app/clusters" name={texts.clusters} query={useClusters()} detail={(all) => texts.ready(all.filter(isReady).length)} />
      <Counted
        to="/app/staking"
        name={texts.validators}
        query={useValidators()}
        detail={(all) => texts.active(all.filter(({ status }) => status === 'active').length)}
      />
      <Counted to="/app/ethereum" name={texts.projects} query={useProjects()} />
    </SimpleGrid>
  )
}

interface CountedProps<T> {
  to: string
  name: string
  query: Pick<UseQueryResult<T[]>, 'data' | 'error'>
  detail?: (all: readonly T[]) => string
}

function Counted<T>({ to, name, query: { data, error }, detail }: CountedProps<T>) {
  return (
    <Card withBorder renderRoot={(props) => <Link {...props} to={to} style={{ textDecoration: 'none', color: 'inherit' }} />}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {data ? (
        <Text fz={28} fw={650} lh={1.3}>
          {count(data.length)}
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

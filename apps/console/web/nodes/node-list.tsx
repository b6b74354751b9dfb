import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Node } from '@trestle/contracts/nodes/nodes'
import type { NodeObservation } from '@trestle/contracts/nodes/shapes'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type Column, DataTable } from '../parts/data-table.js'
import { ListPage } from '../parts/list-page.js'
import { Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { filterNodes } from './node-filter.js'
import { PhaseBadge } from './phase-badge.js'
import { Height, Sync } from './sync.js'
import { useNodeStatuses, useNodes, usePlan } from './use-nodes.js'

const texts = nodesTexts.list

const columnsOf = (statuses: ReadonlyMap<string, NodeObservation>): Column<Node>[] => [
  { name: 'node', header: texts.columns.node, width: 'minmax(220px, 2fr)', cell: (node) => <Name {...node} /> },
  { name: 'software', header: texts.columns.software, width: '160px', cell: ({ serviceData }) => serviceData.software },
  { name: 'phase', header: texts.columns.phase, width: '130px', cell: ({ phase }) => <PhaseBadge phase={phase} /> },
  {
    name: 'height',
    header: texts.columns.height,
    width: '100px',
    align: 'right',
    cell: ({ id }) => <StatusCell status={statuses.get(id)} part="height" />,
  },
  { name: 'sync', header: texts.columns.sync, width: '170px', cell: ({ id }) => <StatusCell status={statuses.get(id)} part="sync" /> },
  { name: 'created', header: texts.columns.created, width: '140px', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

export function NodeList() {
  const { data } = useNodeStatuses()
  const statuses = useMemo(() => new Map(data?.map((status) => [status.id, status])), [data])
  const [search, setSearch] = useState('')
  return (
    <ListPage texts={texts} query={useNodes()} createPath="/app/nodes/new">
      {(nodes) => (
        <Stack>
          <Group justify="space-between" align="flex-end">
            <TextInput
              label={texts.search}
              placeholder={texts.searchHint}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              w={{ base: '100%', xs: 320 }}
            />
            <PlanRoom used={nodes.length} />
          </Group>
          <DataTable
            label={texts.label}
            rows={filterNodes(nodes, search).toReversed()}
            columns={columnsOf(statuses)}
            keyOf={({ id }) => id}
            empty={texts.none}
            minWidth={860}
          />
        </Stack>
      )}
    </ListPage>
  )
}

function PlanRoom({ used }: { used: number }) {
  const { data } = usePlan()
  return (
    <Text size="sm" c="dimmed" mih={20}>
      {data && texts.plan(used, data.nodes)}
    </Text>
  )
}

function Name({ id, chain, network }: Node) {
  return (
    <>
      <Anchor component={Link} to={`/app/nodes/${id}`} fw={600}>
        {nodesTexts.titleOf(chain, network)}
      </Anchor>
      <Text className="mono" size="xs" c="dimmed" truncate>
        {id}
      </Text>
    </>
  )
}

/** Node statuses come from a separate query. */
function StatusCell({ status, part }: { status: NodeObservation | undefined; part: 'height' | 'sync' }) {
  if (!status) return nodesTexts.status.unknown
  return part === 'height' ? <Height height={status.height} /> : <Sync status={status} />
}

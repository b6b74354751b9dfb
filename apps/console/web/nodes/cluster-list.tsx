import { Anchor, Text } from '@mantine/core'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { Link } from 'react-router'
import { type Column, DataTable } from '../parts/data-table.js'
import { ListPage } from '../parts/list-page.js'
import { Time } from '../parts/time.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { PhaseBadge } from './phase-badge.js'
import { useClusters, usePlan } from './use-nodes.js'

const texts = clustersTexts.list

const COLUMNS: Column<Cluster>[] = [
  { name: 'name', header: texts.columns.name, width: 'minmax(220px, 2fr)', cell: (cluster) => <Name {...cluster} /> },
  { name: 'software', header: texts.columns.software, width: '160px', cell: ({ serviceData }) => serviceData.software },
  { name: 'phase', header: texts.columns.phase, width: '130px', cell: ({ phase }) => <PhaseBadge phase={phase} /> },
  {
    name: 'health',
    header: texts.columns.health,
    width: '150px',
    align: 'right',
    cell: ({ healthCount, capacity }) => clustersTexts.healthOf(healthCount, capacity),
  },
  { name: 'created', header: texts.columns.created, width: '140px', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

export function ClusterList() {
  const { data: plan } = usePlan()
  return (
    <ListPage texts={texts} query={useClusters()} createPath="/app/clusters/new">
      {(clusters) => (
        <>
          <DataTable label={texts.label} rows={clusters.toReversed()} columns={COLUMNS} keyOf={({ id }) => id} minWidth={760} />
          <Text size="sm" c="dimmed" mih={20}>
            {plan && nodesTexts.list.plan(clusters.length, plan.clusters)}
          </Text>
        </>
      )}
    </ListPage>
  )
}

function Name({ id, name, chain, network }: Cluster) {
  return (
    <>
      <Anchor component={Link} to={`/app/clusters/${id}`} fw={600}>
        {name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {nodesTexts.titleOf(chain, network)}
      </Text>
    </>
  )
}

import { Card, Group, Stack, Text } from '@mantine/core'
import type { Reply } from '@trestle/contracts/endpoint'
import type { Cluster, clusters as endpoints } from '@trestle/contracts/nodes/clusters'
import { useParams } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { ClusterChangeForms } from './cluster-change-forms.js'
import { ClusterUpdateProgress } from './cluster-update-progress.js'
import { Conditions } from './conditions.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { ProgressSteps } from './progress-steps.js'
import { Height, Sync } from './sync.js'
import { useCluster, useClusterStatus } from './use-nodes.js'
import { WorkloadFacts } from './workload-facts.js'
import { WorkloadPage } from './workload-page.js'

export function ClusterPage() {
  const { id = '' } = useParams()
  return (
    <WorkloadPage
      kind="cluster"
      query={useCluster(id)}
      titleOf={({ name }) => name}
      listTitle={clustersTexts.list.title}
      tabsLabel={clustersTexts.tabsLabel}
      overview={(cluster) => <Overview cluster={cluster} />}
      settings={(cluster) => <ClusterChangeForms cluster={cluster} />}
    />
  )
}

type Member = Reply<typeof endpoints.status>['members'][number]

function Overview({ cluster }: { cluster: Cluster }) {
  const query = useClusterStatus(cluster.id)
  return (
    <Stack gap="xl">
      <Loaded query={query} rows={6}>
        {(status) => (
          <>
            <Card withBorder>
              <Stack>
                <Group align="baseline" gap="xs">
                  <Text fz="xl" fw={650}>
                    {clustersTexts.healthOf(cluster.healthCount, cluster.capacity)}
                  </Text>
                  <Text c="dimmed">{clustersTexts.health}</Text>
                </Group>
                <ProgressSteps {...status} />
                <ObstacleNotice {...status} />
              </Stack>
            </Card>
            <ClusterUpdateProgress cluster={cluster} members={status.members} />
            <Members members={status.members} />
            <Conditions conditions={status.conditions} />
          </>
        )}
      </Loaded>
      <WorkloadFacts workload={cluster} />
    </Stack>
  )
}

const { memberColumns } = clustersTexts
const COLUMNS: Column<Member>[] = [
  { name: 'node', header: memberColumns.node, width: '2fr', cell: ({ id }) => <Hash value={id} short /> },
  { name: 'software', header: memberColumns.software, width: '160px', cell: ({ software }) => software },
  { name: 'phase', header: memberColumns.phase, width: '130px', cell: ({ phase }) => <PhaseBadge phase={phase} /> },
  { name: 'height', header: memberColumns.height, width: '100px', align: 'right', cell: ({ height }) => <Height height={height} /> },
  { name: 'sync', header: memberColumns.sync, width: '170px', cell: (status) => <Sync status={status} /> },
  {
    name: 'peers',
    header: memberColumns.peers,
    width: '80px',
    align: 'right',
    cell: ({ peers }) => (peers === null ? nodesTexts.status.unknown : formatCount(peers)),
  },
]

function Members({ members }: { members: readonly Member[] }) {
  return (
    <Stack gap="xs">
      <SectionTitle>{clustersTexts.members}</SectionTitle>
      <DataTable
        label={clustersTexts.members}
        rows={members}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={clustersTexts.noMembers}
        minWidth={760}
      />
    </Stack>
  )
}

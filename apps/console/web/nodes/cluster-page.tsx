import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { Reply } from '@trestle/contracts/endpoint'
import type { Cluster, clusters as endpoints } from '@trestle/contracts/nodes/clusters'
import { useParams } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { ClusterChangeForms } from './cluster-change-forms.js'
import { ClusterUpdateProgress } from './cluster-update-progress.js'
import { Conditions } from './conditions.js'
import { LogsPanel } from './logs.js'
import { MetricsPanel } from './metrics.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { ProgressSteps } from './progress-steps.js'
import { StartStopButton } from './start-stop-button.js'
import { Height, Sync } from './sync.js'
import { useCluster, useClusterStatus } from './use-nodes.js'
import { WorkloadConnect } from './workload-connect.js'
import { WorkloadFacts } from './workload-facts.js'
import { WorkloadSettings } from './workload-settings.js'

const { tabs } = nodesTexts.page

export function ClusterPage() {
  const { id = '', tab } = useParams()
  const query = useCluster(id)
  const cluster = query.data
  return (
    <PageLayout
      title={cluster?.name ?? clustersTexts.list.title}
      description={
        <Group gap="xs" mih={28}>
          {cluster && <PhaseBadge phase={cluster.phase} size="lg" />}
          <Hash value={id} short />
        </Group>
      }
      above={[{ to: '/app/clusters', label: clustersTexts.list.title }]}
      actions={cluster && <StartStopButton kind="cluster" id={id} state={cluster.state} />}
    >
      <Loaded query={query} rows={8}>
        {(cluster) => (
          <PageTabs
            key={id}
            label={clustersTexts.tabsLabel}
            page={`/app/clusters/${id}`}
            tab={tab}
            tabs={[
              { at: 'overview', label: tabs.overview, content: () => <Overview cluster={cluster} /> },
              { at: 'connect', label: tabs.connect, content: () => <WorkloadConnect kind="cluster" workload={cluster} /> },
              { at: 'logs', label: tabs.logs, content: () => <LogsPanel kind="cluster" id={id} /> },
              { at: 'metrics', label: tabs.metrics, content: () => <MetricsPanel kind="cluster" id={id} /> },
              { at: 'settings', label: tabs.settings, content: () => <ClusterSettings cluster={cluster} /> },
            ]}
          />
        )}
      </Loaded>
    </PageLayout>
  )
}

function ClusterSettings({ cluster }: { cluster: Cluster }) {
  return (
    <WorkloadSettings kind="cluster" workload={cluster}>
      <ClusterChangeForms cluster={cluster} />
    </WorkloadSettings>
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
  { name: 'sync', header: memberColumns.sync, width: '170px', cell: (sight) => <Sync sight={sight} /> },
  {
    name: 'peers',
    header: memberColumns.peers,
    width: '80px',
    align: 'right',
    cell: ({ peers }) => (peers === null ? nodesTexts.sight.unknown : formatCount(peers)),
  },
]

function Members({ members }: { members: readonly Member[] }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {clustersTexts.members}
      </Title>
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

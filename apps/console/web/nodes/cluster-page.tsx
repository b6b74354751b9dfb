import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { Reply } from '@trestle/contracts/endpoint'
import type { Cluster, clusters as endpoints } from '@trestle/contracts/nodes/clusters'
import { useParams } from 'react-router'
import { count } from '../parts/amount.js'
import { Hash } from '../parts/copy.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { PageTabs } from '../parts/page-tabs.js'
import { clusters, nodes } from '../texts/nodes.js'
import { About } from './about.js'
import { ClusterChange } from './cluster-change.js'
import { ClusterUpdate } from './cluster-update.js'
import { Conditions } from './conditions.js'
import { Connect } from './connect.js'
import { Journey } from './journey.js'
import { Logs } from './logs.js'
import { Metrics } from './metrics.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { Power } from './power.js'
import { useCluster, useClusterStatus } from './queries.js'
import { Settings } from './settings.js'
import { Height, Sync } from './sync.js'

const { tabs } = nodes.page

export function ClusterPage() {
  const { id = '', tab } = useParams()
  const query = useCluster(id)
  const cluster = query.data
  return (
    <Page
      title={cluster?.name ?? clusters.list.title}
      description={
        <Group gap="xs" mih={28}>
          {cluster && <PhaseBadge phase={cluster.phase} size="lg" />}
          <Hash value={id} short />
        </Group>
      }
      above={[{ to: '/app/clusters', label: clusters.list.title }]}
      actions={cluster && <Power kind="cluster" id={id} state={cluster.state} />}
    >
      <Loaded query={query} rows={8}>
        {(cluster) => (
          <PageTabs
            key={id}
            label={clusters.tabsLabel}
            page={`/app/clusters/${id}`}
            tab={tab}
            tabs={[
              { at: 'overview', label: tabs.overview, content: () => <Overview cluster={cluster} /> },
              { at: 'connect', label: tabs.connect, content: () => <Connect kind="cluster" holding={cluster} /> },
              { at: 'logs', label: tabs.logs, content: () => <Logs kind="cluster" id={id} /> },
              { at: 'metrics', label: tabs.metrics, content: () => <Metrics kind="cluster" id={id} /> },
              { at: 'settings', label: tabs.settings, content: () => <ClusterSettings cluster={cluster} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function ClusterSettings({ cluster }: { cluster: Cluster }) {
  return (
    <Settings kind="cluster" holding={cluster}>
      <ClusterChange cluster={cluster} />
    </Settings>
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
                    {clusters.healthOf(cluster.healthCount, cluster.capacity)}
                  </Text>
                  <Text c="dimmed">{clusters.health}</Text>
                </Group>
                <Journey {...status} />
                <ObstacleNotice {...status} />
              </Stack>
            </Card>
            <ClusterUpdate cluster={cluster} members={status.members} />
            <Members members={status.members} />
            <Conditions conditions={status.conditions} />
          </>
        )}
      </Loaded>
      <About holding={cluster} />
    </Stack>
  )
}

const { memberColumns } = clusters
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
    cell: ({ peers }) => (peers === null ? nodes.sight.unknown : count(peers)),
  },
]

function Members({ members }: { members: readonly Member[] }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {clusters.members}
      </Title>
      <DataTable
        label={clusters.members}
        rows={members}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={clusters.noMembers}
        minWidth={760}
      />
    </Stack>
  )
}

import { Group } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { useParams } from 'react-router'
import { Hash } from '../parts/copy-button.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { nodesTexts } from '../texts/nodes.js'
import { LogsPanel } from './logs.js'
import { MetricsPanel } from './metrics.js'
import { PhaseBadge } from './phase-badge.js'
import { StartStopButton } from './start-stop-button.js'
import type { NodeOrCluster, NodeOrClusterKind } from './workload.js'
import { WorkloadConnect } from './workload-connect.js'
import { WorkloadSettings } from './workload-settings.js'

const { tabs } = nodesTexts.page

interface WorkloadPageProps<T> {
  kind: NodeOrClusterKind
  query: ComponentProps<typeof Loaded<T>>['query']
  titleOf: (workload: T) => string
  listTitle: string
  tabsLabel: string
  overview: (workload: T) => ReactNode
  /** Settings that only this kind has. */
  settings?: (workload: T) => ReactNode
}

/** The page of one node or cluster, with its tabs. */
export function WorkloadPage<T extends NodeOrCluster>({ kind, query, titleOf, listTitle, tabsLabel, ...content }: WorkloadPageProps<T>) {
  const { id = '', tab } = useParams()
  const { data } = query
  const list = `/app/${kind}s`
  return (
    <PageLayout
      title={data ? titleOf(data) : listTitle}
      description={
        <Group gap="xs" mih={28}>
          {data && <PhaseBadge phase={data.phase} size="lg" />}
          <Hash value={id} short />
        </Group>
      }
      above={[{ to: list, label: listTitle }]}
      actions={data && <StartStopButton kind={kind} id={id} state={data.state} />}
    >
      <Loaded query={query} rows={8}>
        {(workload) => <PageTabs key={id} label={tabsLabel} page={`${list}/${id}`} tab={tab} tabs={tabsOf(kind, workload, content)} />}
      </Loaded>
    </PageLayout>
  )
}

type Content<T> = Pick<WorkloadPageProps<T>, 'overview' | 'settings'>

function tabsOf<T extends NodeOrCluster>(kind: NodeOrClusterKind, workload: T, { overview, settings }: Content<T>) {
  const { id } = workload
  return [
    { at: 'overview', label: tabs.overview, content: () => overview(workload) },
    { at: 'connect', label: tabs.connect, content: () => <WorkloadConnect kind={kind} workload={workload} /> },
    { at: 'logs', label: tabs.logs, content: () => <LogsPanel kind={kind} id={id} /> },
    { at: 'metrics', label: tabs.metrics, content: () => <MetricsPanel kind={kind} id={id} /> },
    {
      at: 'settings',
      label: tabs.settings,
      content: () => (
        <WorkloadSettings kind={kind} workload={workload}>
          {settings?.(workload)}
        </WorkloadSettings>
      ),
    },
  ]
}

import { Card, Group, Stack } from '@mantine/core'
import type { Node } from '@trestle/contracts/nodes/nodes'
import { useParams } from 'react-router'
import { Hash } from '../parts/copy-button.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { nodesTexts } from '../texts/nodes.js'
import { Conditions } from './conditions.js'
import { LogsPanel } from './logs.js'
import { MetricsPanel } from './metrics.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { ProgressSteps } from './progress-steps.js'
import { StartStopButton } from './start-stop-button.js'
import { useNode, useNodeStatus } from './use-nodes.js'
import { WorkloadConnect } from './workload-connect.js'
import { SyncFacts, WorkloadFacts } from './workload-facts.js'
import { WorkloadSettings } from './workload-settings.js'

const { tabs, tabsLabel } = nodesTexts.page

export function NodePage() {
  const { id = '', tab } = useParams()
  const query = useNode(id)
  const node = query.data
  return (
    <PageLayout
      title={node ? nodesTexts.titleOf(node.chain, node.network) : nodesTexts.list.title}
      description={
        <Group gap="xs" mih={28}>
          {node && <PhaseBadge phase={node.phase} size="lg" />}
          <Hash value={id} short />
        </Group>
      }
      above={[{ to: '/app/nodes', label: nodesTexts.list.title }]}
      actions={node && <StartStopButton kind="node" id={id} state={node.state} />}
    >
      <Loaded query={query} rows={8}>
        {(node) => (
          <PageTabs
            key={id}
            label={tabsLabel}
            page={`/app/nodes/${id}`}
            tab={tab}
            tabs={[
              { at: 'overview', label: tabs.overview, content: () => <Overview node={node} /> },
              { at: 'connect', label: tabs.connect, content: () => <WorkloadConnect kind="node" workload={node} /> },
              { at: 'logs', label: tabs.logs, content: () => <LogsPanel kind="node" id={id} /> },
              { at: 'metrics', label: tabs.metrics, content: () => <MetricsPanel kind="node" id={id} /> },
              { at: 'settings', label: tabs.settings, content: () => <WorkloadSettings kind="node" workload={node} /> },
            ]}
          />
        )}
      </Loaded>
    </PageLayout>
  )
}

function Overview({ node }: { node: Node }) {
  const query = useNodeStatus(node.id)
  return (
    <Stack gap="xl">
      <Loaded query={query} rows={6}>
        {(status) => (
          <>
            <Card withBorder>
              <Stack>
                <ProgressSteps {...status} />
                <ObstacleNotice {...status} />
                <SyncFacts sight={status} />
              </Stack>
            </Card>
            <Conditions conditions={status.conditions} />
          </>
        )}
      </Loaded>
      <WorkloadFacts workload={node} />
    </Stack>
  )
}

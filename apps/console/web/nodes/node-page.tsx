import { Card, Group, Stack } from '@mantine/core'
import type { Node } from '@trestle/contracts/nodes/nodes'
import { useParams } from 'react-router'
import { Hash } from '../parts/copy.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { PageTabs } from '../parts/page-tabs.js'
import { nodes } from '../texts/nodes.js'
import { About, SightFacts } from './about.js'
import { Conditions } from './conditions.js'
import { Connect } from './connect.js'
import { Journey } from './journey.js'
import { Logs } from './logs.js'
import { Metrics } from './metrics.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { Power } from './power.js'
import { useNode, useNodeStatus } from './queries.js'
import { Settings } from './settings.js'

const { tabs, tabsLabel } = nodes.page

export function NodePage() {
  const { id = '', tab } = useParams()
  const query = useNode(id)
  const node = query.data
  return (
    <Page
      title={node ? nodes.titleOf(node.chain, node.network) : nodes.list.title}
      description={
        <Group gap="xs" mih={28}>
          {node && <PhaseBadge phase={node.phase} size="lg" />}
          <Hash value={id} short />
        </Group>
      }
      above={[{ to: '/app/nodes', label: nodes.list.title }]}
      actions={node && <Power kind="node" id={id} state={node.state} />}
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
              { at: 'connect', label: tabs.connect, content: () => <Connect kind="node" holding={node} /> },
              { at: 'logs', label: tabs.logs, content: () => <Logs kind="node" id={id} /> },
              { at: 'metrics', label: tabs.metrics, content: () => <Metrics kind="node" id={id} /> },
              { at: 'settings', label: tabs.settings, content: () => <Settings kind="node" holding={node} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
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
                <Journey {...status} />
                <ObstacleNotice {...status} />
                <SightFacts sight={status} />
              </Stack>
            </Card>
            <Conditions conditions={status.conditions} />
          </>
        )}
      </Loaded>
      <About holding={node} />
    </Stack>
  )
}

import { Card, Stack } from '@mantine/core'
import type { Node } from '@trestle/contracts/nodes/nodes'
import { useParams } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { nodesTexts } from '../texts/nodes.js'
import { Conditions } from './conditions.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { ProgressSteps } from './progress-steps.js'
import { useNode, useNodeStatus } from './use-nodes.js'
import { SyncFacts, WorkloadFacts } from './workload-facts.js'
import { WorkloadPage } from './workload-page.js'

export function NodePage() {
  const { id = '' } = useParams()
  return (
    <WorkloadPage
      kind="node"
      query={useNode(id)}
      titleOf={({ chain, network }) => nodesTexts.titleOf(chain, network)}
      listTitle={nodesTexts.list.title}
      tabsLabel={nodesTexts.page.tabsLabel}
      overview={(node) => <Overview node={node} />}
    />
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
                <SyncFacts status={status} />
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

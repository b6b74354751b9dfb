import { Box, Stack, Text } from '@mantine/core'
import type { NodeObservation } from '@trestle/contracts/nodes/shapes'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { SectionTitle } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { Height, Sync } from './sync.js'
import type { NodeOrCluster } from './workload.js'

const { unknown } = nodesTexts.status

/** What it is, as it was made. */
export function WorkloadFacts({ workload }: { workload: NodeOrCluster }) {
  const { id, chain, network, serviceData, vendor, createdAt, startedAt, ttl } = workload
  const { fact } = nodesTexts.page
  const machine = [vendor.name, vendor.region, vendor.instanceType].filter((value, index, all) => value && all.indexOf(value) === index)
  return (
    <Stack gap="xs">
      <SectionTitle>{nodesTexts.page.facts}</SectionTitle>
      <FactList
        columns={3}
        facts={[
          [fact.id, <Hash key="id" value={id} />],
          [fact.chain, nodesTexts.titleOf(chain, network)],
          [fact.software, serviceData.software],
          [fact.size, nodesTexts.sizes[serviceData.performance]],
          [fact.machine, machine.join(', ')],
          vendor.quickSync && [fact.quickSync, fact.snapshot],
          [fact.created, <Time key="created" value={createdAt} />],
          [fact.started, startedAt ? <Time key="started" value={startedAt} /> : unknown],
          [fact.stopsAt, <Time key="stopsAt" value={Number(ttl) * 1000} />],
        ]}
      />
    </Stack>
  )
}

/** The state of its chain, and when it was checked. */
export function SyncFacts({ status }: { status: NodeObservation & { asOf: string | null } }) {
  const { height, peers, diskBytes, asOf } = status
  const texts = nodesTexts.status
  return (
    <FactList
      columns={5}
      facts={[
        [texts.height, <Height key="height" height={height} />],
        [
          texts.progress,
          <Box key="progress" pt={6}>
            <Sync status={status} size="lg" />
          </Box>,
        ],
        [texts.peers, peers === null ? unknown : formatCount(peers)],
        [texts.disk, diskBytes === null ? unknown : formatBytes(diskBytes)],
        [
          texts.asOf,
          <Text key="asOf" span>
            {asOf ? <Time value={asOf} /> : unknown}
          </Text>,
        ],
      ]}
    />
  )
}

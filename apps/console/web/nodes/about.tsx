import { Box, Stack, Text, Title } from '@mantine/core'
import type { Sight } from '@trestle/contracts/nodes/shapes'
import { bytes, count } from '../parts/amount.js'
import { Hash } from '../parts/copy.js'
import { Facts } from '../parts/facts.js'
import { Time } from '../parts/time.js'
import { nodes } from '../texts/nodes.js'
import type { Holding } from './holding.js'
import { Height, Sync } from './sync.js'

const { unknown } = nodes.sight

/** What it is, as it was made. */
export function About({ holding }: { holding: Holding }) {
  const { id, chain, network, serviceData, vendor, createdAt, startedAt, ttl } = holding
  const { fact } = nodes.page
  const machine = [vendor.name, vendor.region, vendor.instanceType].filter((value, index, all) => value && all.indexOf(value) === index)
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {nodes.page.facts}
      </Title>
      <Facts
        columns={3}
        facts={[
          [fact.id, <Hash key="id" value={id} />],
          [fact.chain, nodes.titleOf(chain, network)],
          [fact.software, serviceData.software],
          [fact.size, nodes.sizes[serviceData.performance]],
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

/** What was seen of its chain, and when. */
export function SightFacts({ sight }: { sight: Sight & { asOf: string | null } }) {
  const { height, peers, diskBytes, asOf } = sight
  const texts = nodes.sight
  return (
    <Facts
      columns={5}
      facts={[
        [texts.height, <Height key="height" height={height} />],
        [
          texts.progress,
          <Box key="progress" pt={6}>
            <Sync sight={sight} size="lg" />
          </Box>,
        ],
        [texts.peers, peers === null ? unknown : count(peers)],
        [texts.disk, diskBytes === null ? unknown : bytes(diskBytes)],
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

import { Anchor, Badge, Box, Group, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useDelivery } from '../administration/use-delivery.js'
import { useClusters, useNodes } from '../nodes/queries.js'
import { Time } from '../parts/time.js'
import { useHealth } from '../platform/use-health.js'
import { overview } from '../texts/overview.js'
import { type Matter, mattersOf } from './attention.js'
import { Panel } from './panel.js'
import { useKeys, useValidators } from './queries.js'

const texts = overview.attention

/** What somebody should look at, and where. */
export function Attention() {
  const services = useHealth()
  const [nodes, clusters, validators, keys] = [useNodes(), useClusters(), useValidators(), useKeys()]
  const delivered = useDelivery()
  const isLooking = [nodes, clusters, validators, keys].some(({ isPending }) => isPending)
  const known = { services, nodes: nodes.data, clusters: clusters.data, validators: validators.data, keys: keys.data, delivered }
  const matters = mattersOf(known, new Date())
  return (
    <Panel title={texts.title} minHeight={260}>
      <Box aria-live="polite">
        {matters.length === 0 ? (
          <Text c="dimmed">{isLooking ? texts.looking : texts.nothing}</Text>
        ) : (
          <List listStyleType="none" spacing="sm">
            {matters.map((matter) => (
              <List.Item key={matter.id}>
                <MatterLine {...matter} />
              </List.Item>
            ))}
          </List>
        )}
      </Box>
    </Panel>
  )
}

function MatterLine({ kind, isUrgent, what, why, when, to }: Matter) {
  const title = texts.matters[kind](what)
  return (
    <>
      <Group gap="xs">
        {to ? (
          <Anchor component={Link} to={to} fw={600}>
            {title}
          </Anchor>
        ) : (
          <Text fw={600}>{title}</Text>
        )}
        {isUrgent && (
          <Badge color="red" variant="dot" tt="none">
            {texts.urgent}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {why} {when && <Time value={when} />}
      </Text>
    </>
  )
}

import { Anchor, Badge, Box, Group, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useDelivery } from '../administration/use-delivery.js'
import { useClusters, useNodes } from '../nodes/use-nodes.js'
import { Panel } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { useHealth } from '../platform/use-health.js'
import { overviewTexts } from '../texts/overview.js'
import { type AttentionItem, attentionItems } from './attention.js'
import { useAllValidators, useClientKeys } from './use-overview.js'

const texts = overviewTexts.attention

/** What needs the user's attention, and where to act. */
export function AttentionPanel() {
  const services = useHealth()
  const [nodes, clusters, validators, keys] = [useNodes(), useClusters(), useAllValidators(), useClientKeys()]
  const delivered = useDelivery()
  const isLooking = [nodes, clusters, validators, keys].some(({ isPending }) => isPending)
  const known = { services, nodes: nodes.data, clusters: clusters.data, validators: validators.data, keys: keys.data, delivered }
  const items = attentionItems(known, new Date())
  return (
    <Panel title={texts.title} minHeight={260}>
      <Box aria-live="polite">
        {items.length === 0 ? (
          <Text c="dimmed">{isLooking ? texts.looking : texts.nothing}</Text>
        ) : (
          <List listStyleType="none" spacing="sm">
            {items.map((item) => (
              <List.Item key={item.id}>
                <AttentionLine {...item} />
              </List.Item>
            ))}
          </List>
        )}
      </Box>
    </Panel>
  )
}

function AttentionLine({ kind, isUrgent, what, why, when, to }: AttentionItem) {
  const title = texts.titles[kind](what)
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

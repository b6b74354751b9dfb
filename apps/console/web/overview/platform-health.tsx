import { Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Panel } from '../parts/panel.js'
import { type KnownService, useHealth } from '../platform/use-health.js'
import { overviewTexts } from '../texts/overview.js'

const texts = overviewTexts.health

/** Whether the services answer, by area. */
export function PlatformHealth() {
  const services = useHealth()
  const areas = [...new Set(services.map(({ app }) => app))]
  const down = services.filter(({ state }) => state === 'down').length
  const isLooking = services.some(({ state }) => state === undefined)
  return (
    <Panel
      title={texts.title}
      minHeight={260}
      action={
        <Text size="sm" c="dimmed" aria-live="polite">
          {down > 0 ? texts.someDown(down) : isLooking ? texts.looking : texts.allUp}
        </Text>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {areas.map((area) => (
          <Stack key={area} gap={4}>
            <Text fw={600} size="sm">
              {texts.areas[area]}
            </Text>
            {services
              .filter(({ app }) => app === area)
              .map((service) => (
                <ServiceLine key={service.name} {...service} />
              ))}
          </Stack>
        ))}
      </SimpleGrid>
    </Panel>
  )
}

const COLORS = { up: 'teal', down: 'red', absent: 'gray', looking: 'gray' }

function ServiceLine({ name, app, basePath, state, version, latencyMs, reason }: KnownService) {
  const shown = state ?? 'looking'
  const details = [latencyMs !== undefined && texts.latency(Math.round(latencyMs)), version && texts.version(version)].filter(Boolean)
  return (
    <Group gap="xs" wrap="nowrap" mih={26}>
      <Badge color={COLORS[shown]} variant="dot" tt="none" title={reason} style={{ flexShrink: 0 }}>
        {name === app ? '' : `${name}: `}
        {texts.states[shown]}
      </Badge>
      <Text size="xs" c="dimmed" truncate>
        {details.join(', ')}
      </Text>
      {state === 'up' && (
        <Anchor href={`${basePath}/docs`} size="xs" aria-label={texts.referenceOf(name)}>
          {texts.reference}
        </Anchor>
      )}
    </Group>
  )
}

import { Badge, Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../parts/data-table.js'
import { useHealth } from '../platform/use-health.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.services
const COLOR = { up: 'teal', down: 'red', absent: 'gray', unknown: 'gray' }

type Service = ReturnType<typeof useHealth>[number]

export function ServicesPanel() {
  const services = useHealth()
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {texts.text}
      </Text>
      <DataTable
        label={administrationTexts.sections.services}
        rows={services}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        minWidth={640}
      />
    </Stack>
  )
}

const COLUMNS: readonly Column<Service>[] = [
  { name: 'service', header: texts.service, cell: ({ name }) => name, width: '110px' },
  { name: 'state', header: texts.state, cell: (service) => <State service={service} />, width: '170px' },
  {
    name: 'latency',
    header: texts.latency,
    cell: ({ latencyMs }) => (latencyMs === undefined ? '–' : texts.milliseconds(latencyMs)),
    width: '130px',
    align: 'right',
  },
  { name: 'version', header: texts.version, cell: ({ version = '–' }) => version, width: '110px', align: 'right' },
  { name: 'reason', header: texts.reason, cell: ({ reason }) => reason, width: '2fr' },
]

function State({ service }: { service: Service }) {
  const state = service.state ?? 'unknown'
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {texts.states[state]}
    </Badge>
  )
}

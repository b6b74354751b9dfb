import { Badge, Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import { formatBytes } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { platformClient } from '../platform/client.js'
import { problemMessage } from '../platform/problem-message.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.catalogue
const CATALOGUE = ['nodes', 'services']
const COLOR = { enabled: 'teal', disabled: 'red', missing: 'gray' }

/** What nodes can be created from, including disabled entries. */
export function CataloguePanel() {
  const services = useQuery({ queryKey: CATALOGUE, queryFn: () => platformClient.nodes.catalogue.nodeServices() })
  return (
    <Stack>
      <Text size="sm">{texts.text}</Text>
      <Loaded query={services} rows={8}>
        {(rows) => (
          <DataTable label={administrationTexts.sections.catalogue} rows={rows} columns={COLUMNS} keyOf={({ id }) => id} minWidth={900} />
        )}
      </Loaded>
    </Stack>
  )
}

const COLUMNS: readonly Column<CatalogueService>[] = [
  { name: 'software', header: texts.software, cell: ({ metadata }) => metadata.software, width: '2fr' },
  { name: 'network', header: texts.network, cell: ({ chain, network }) => `${chain} ${network}`, width: '1fr' },
  { name: 'size', header: texts.size, cell: (service) => sizeOf(service), width: '2fr' },
  { name: 'vendor', header: texts.vendor, cell: ({ vendor }) => placeOf(vendor), width: '1fr' },
  { name: 'verified', header: texts.verified, cell: ({ metadata }) => metadata.verifiedAt, width: '110px' },
  { name: 'state', header: texts.state, cell: (service) => <State service={service} />, width: '170px' },
  { name: 'change', header: texts.actions, cell: (service) => <Change service={service} />, width: '110px', align: 'right' },
]

function State({ service: { disabled, missing } }: { service: CatalogueService }) {
  const state = disabled ? 'disabled' : missing ? 'missing' : 'enabled'
  return (
    <Badge variant="light" color={COLOR[state]} tt="none" title={missing ?? undefined}>
      {texts.states[state]}
    </Badge>
  )
}

function Change({ service }: { service: CatalogueService }) {
  const client = useQueryClient()
  const { disable, enable } = platformClient.nodes.catalogue
  const changing = useMutation({
    mutationFn: () => (service.disabled ? enable : disable)({ params: { id: service.id } }),
    onError: (error) => notifications.show({ message: problemMessage(error), color: 'red' }),
    onSettled: () => client.invalidateQueries({ queryKey: CATALOGUE }),
  })
  const action = service.disabled ? texts.enable : texts.disable
  return (
    <Button
      size="xs"
      variant="default"
      loading={changing.isPending}
      onClick={() => changing.mutate()}
      aria-label={texts.change(action, nameOf(service))}
    >
      {action}
    </Button>
  )
}

function nameOf({ chain, metadata: { software, performance } }: CatalogueService): string {
  return texts.name(software, chain, performance)
}

function placeOf({ name, region }: CatalogueService['vendor']): string {
  return name === region ? name : `${name} ${region}`
}

function sizeOf({ metadata: { cpus, memoryMiB, diskGiB } }: CatalogueService): string {
  return texts.sizeOf(cpus, formatBytes(memoryMiB * 2 ** 20), formatBytes(diskGiB * 2 ** 30))
}

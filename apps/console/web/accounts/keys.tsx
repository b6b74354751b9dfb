import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { CLIENT_KEYS, NewKeyDialog } from './new-key.js'

const texts = accountsTexts.keys

/** The keys that programs sign in with. */
export default function Keys() {
  const keys = useQuery({ queryKey: CLIENT_KEYS, queryFn: () => platformClient.accounts.clientKeys.list(), refetchInterval: 30_000 })
  const [creating, { open, close }] = useDisclosure()
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {texts.create}
    </Button>
  )
  return (
    <PageLayout title={texts.title} description={texts.description} actions={keys.data?.length ? create : undefined}>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label={texts.title}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            minWidth={900}
            empty={
              <EmptyState title={texts.empty} text={texts.emptyText}>
                {create}
              </EmptyState>
            }
          />
        )}
      </Loaded>
      <NewKeyDialog opened={creating} onClose={close} />
    </PageLayout>
  )
}

const COLUMNS: readonly Column<ClientKey>[] = [
  { name: 'name', header: texts.name, cell: (key) => <Named {...key} />, width: '2fr' },
  { name: 'scopes', header: texts.scopes, cell: (key) => <Scopes {...key} />, width: '2fr' },
  { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'used', header: texts.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : texts.never) },
  { name: 'expires', header: texts.expires, cell: (key) => <Expiry {...key} /> },
  { name: 'delete', header: texts.actions, cell: (key) => <Delete {...key} />, align: 'right', width: '110px' },
]

function Named({ name, id }: ClientKey) {
  return (
    <Stack gap={0}>
      {name ? <Text fw={600}>{name}</Text> : <Text c="dimmed">{texts.unnamed}</Text>}
      <Hash value={id} short label={texts.id} />
    </Stack>
  )
}

/** Areas have names; a permission is its own. */
function labelOf(scope: ClientKey['scopes'][number]): string {
  return Object.hasOwn(texts.area, scope) ? texts.area[scope as keyof typeof texts.area] : scope
}

function Scopes({ scopes }: ClientKey) {
  return (
    <Group gap={4}>
      {scopes.map((scope) => (
        <Badge key={scope} variant="default" tt="none" fw={500}>
          {labelOf(scope)}
        </Badge>
      ))}
    </Group>
  )
}

function Expiry({ expiresAt }: ClientKey) {
  if (!expiresAt) return texts.never
  if (new Date(expiresAt) > new Date()) return <Time value={expiresAt} />
  return (
    <Badge color="red" variant="light">
      {texts.expired}
    </Badge>
  )
}

function Delete({ id, name = id }: ClientKey) {
  const client = useQueryClient()
  async function remove() {
    await platformClient.accounts.clientKeys.remove({ params: { id } })
    notifications.show({ message: texts.deleted })
    await client.invalidateQueries({ queryKey: CLIENT_KEYS })
  }
  return (
    <ConfirmButton action={texts.delete} title={texts.deleteTitle(name)} size="xs" onConfirm={remove}>
      <Text>{texts.deleteText}</Text>
    </ConfirmButton>
  )
}

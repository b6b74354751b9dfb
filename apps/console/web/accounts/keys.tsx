import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import { useSearchParams } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { keysTexts as texts } from '../texts/keys.js'
import { EditKeyButton } from './edit-key.js'
import { describeScopes } from './key-scopes.js'
import { CLIENT_KEYS, NewKeyDialog } from './new-key.js'
import { RotateKeyButton } from './rotate-key.js'
import { type KeyActor, useKeyActors } from './use-key-actors.js'

/** The keys that programs sign in with. `?for=` a service account begins a new one. */
export default function Keys() {
  const keys = useQuery({ queryKey: CLIENT_KEYS, queryFn: () => platformClient.accounts.clientKeys.list(), refetchInterval: 30_000 })
  const actors = useKeyActors()
  const [search] = useSearchParams()
  const serviceAccountId = search.get('for') ?? undefined
  const [creating, { open, close }] = useDisclosure(serviceAccountId !== undefined)
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
            columns={columns(actors.isShared, actors.of)}
            keyOf={({ id }) => id}
            minWidth={980}
            empty={
              <EmptyState title={texts.empty} text={texts.emptyText}>
                {create}
              </EmptyState>
            }
          />
        )}
      </Loaded>
      <NewKeyDialog opened={creating} onClose={close} serviceAccounts={actors.serviceAccounts} serviceAccountId={serviceAccountId} />
    </PageLayout>
  )
}

function columns(isShared: boolean, actorOf: (key: ClientKey) => KeyActor): readonly Column<ClientKey>[] {
  const of: Column<ClientKey> = { name: 'of', header: texts.of, cell: (key) => <Actor {...actorOf(key)} /> }
  return [
    { name: 'name', header: texts.name, cell: (key) => <Named {...key} />, width: '2fr' },
    ...(isShared ? [of] : []),
    { name: 'scopes', header: texts.scopes, cell: (key) => <Scopes {...key} />, width: '2fr' },
    { name: 'limits', header: texts.limits, cell: (key) => <Limits {...key} /> },
    { name: 'used', header: texts.lastUsed, cell: (key) => <LastUse {...key} /> },
    { name: 'expires', header: texts.expires, cell: (key) => <Expiry {...key} /> },
    { name: 'actions', header: texts.actions, cell: (key) => <Actions of={key} actor={actorOf(key)} />, align: 'right', width: '170px' },
  ]
}

function Named({ name, id, createdAt }: ClientKey) {
  return (
    <Stack gap={0}>
      {name ? <Text fw={600}>{name}</Text> : <Text c="dimmed">{texts.unnamed}</Text>}
      <Hash value={id} short label={texts.id} />
      <Text size="xs" c="dimmed">
        {texts.created} <Time value={createdAt} />
      </Text>
    </Stack>
  )
}

function Actor({ isMe, member }: KeyActor) {
  if (isMe) return texts.you
  return (
    <Stack gap={0}>
      <Text inherit>{member?.displayName ?? texts.formerMember}</Text>
      {member?.serviceAccount && (
        <Text size="xs" c="dimmed">
          {texts.serviceAccount}
        </Text>
      )}
    </Stack>
  )
}

function Scopes({ scopes }: ClientKey) {
  return (
    <Group gap={4}>
      {describeScopes(scopes).map((scope) => (
        <Badge key={scope} variant="default" tt="none" fw={500}>
          {scope}
        </Badge>
      ))}
    </Group>
  )
}

function Limits({ perSecond, perDay, allowedIps = [] }: ClientKey) {
  const limits = [
    perSecond !== undefined && texts.limitOf.perSecond(formatCount(perSecond)),
    perDay !== undefined && texts.limitOf.perDay(formatCount(perDay)),
    allowedIps.length > 0 ? texts.from(allowedIps.join(', ')) : texts.anyAddress,
  ].filter((limit) => limit !== false)
  return (
    <Stack gap={0}>
      {limits.map((limit) => (
        <Text key={limit} size="sm">
          {limit}
        </Text>
      ))}
    </Stack>
  )
}

function LastUse({ lastUsedAt, lastUsedFrom }: ClientKey) {
  if (!lastUsedAt) return texts.never
  return (
    <Stack gap={0}>
      <Time value={lastUsedAt} />
      {lastUsedFrom && (
        <Text size="xs" c="dimmed">
          {texts.from(lastUsedFrom)}
        </Text>
      )}
    </Stack>
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

/** Only the member whose key it is may change it, or who could have made that of a service account. */
function Actions({ of: key, actor: { isMe, member } }: { of: ClientKey; actor: KeyActor }) {
  const mayChange = isMe || member?.serviceAccount
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {mayChange && <EditKeyButton of={key} />}
      {mayChange && <RotateKeyButton of={key} />}
      <Delete {...key} />
    </Group>
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
    <ConfirmButton action={texts.delete} title={texts.deleteTitle(name)} size="compact-sm" onConfirm={remove}>
      <Text>{texts.deleteText}</Text>
    </ConfirmButton>
  )
}

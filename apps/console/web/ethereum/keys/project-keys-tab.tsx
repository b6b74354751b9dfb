import { Badge, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProjectKey } from '@trestle/contracts/eth-rpc/project-keys'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { ConfirmButton } from '../../parts/confirm-button.js'
import { type Column, DataTable } from '../../parts/data-table.js'
import { EmptyState } from '../../parts/empty-state.js'
import { Loaded } from '../../parts/loaded.js'
import { Time } from '../../parts/time.js'
import { projectKeysTexts as texts } from '../../texts/project-keys.js'
import { useEthereumChain } from '../chain.js'
import { EditProjectKeyButton, NewProjectKeyButton, projectKeysOf } from './project-key-dialogs.js'

/** The keys of a project, when each was last used, and their ends. */
export function ProjectKeysTab({ project: { id } }: { project: Project }) {
  const { chain, api } = useEthereumChain()
  const query = useQuery({
    queryKey: projectKeysOf(chain, id),
    queryFn: () => api.keys.list({ params: { projectId: id } }),
    refetchInterval: 30_000,
  })
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" maw={640}>
          {texts.description}
        </Text>
        {/* Always here: it holds the dialog that shows a new key, which a list that is read again must not close. */}
        <NewProjectKeyButton projectId={id} />
      </Group>
      <Loaded query={query}>
        {(keys) => (
          <DataTable
            label={texts.title}
            rows={keys}
            columns={columns(id)}
            keyOf={({ number }) => String(number)}
            empty={<EmptyState title={texts.empty} text={texts.emptyText} />}
          />
        )}
      </Loaded>
    </Stack>
  )
}

function columns(projectId: string): readonly Column<ProjectKey>[] {
  return [
    { name: 'name', header: texts.name, cell: (key) => <Named {...key} />, width: '2fr' },
    { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} /> },
    { name: 'used', header: texts.lastUsed, cell: (key) => <LastUse {...key} /> },
    { name: 'expires', header: texts.expires, cell: (key) => <Expiry {...key} /> },
    {
      name: 'actions',
      header: texts.actions,
      cell: (key) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <EditProjectKeyButton projectId={projectId} of={key} />
          <Delete projectId={projectId} of={key} />
        </Group>
      ),
      align: 'right',
      width: '170px',
    },
  ]
}

function Named({ name, lastFour }: ProjectKey) {
  return (
    <Stack gap={0}>
      <Text fw={600}>{name}</Text>
      <Text size="xs" c="dimmed">
        {texts.endsIn(lastFour)}
      </Text>
    </Stack>
  )
}

function LastUse({ lastUsedAt, lastUsedFrom }: ProjectKey) {
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

function Expiry({ expiresAt }: ProjectKey) {
  if (!expiresAt) return texts.never
  if (new Date(expiresAt) > new Date()) return <Time value={expiresAt} />
  return (
    <Badge color="red" variant="light">
      {texts.expired}
    </Badge>
  )
}

function Delete({ projectId, of: { number, name } }: { projectId: string; of: ProjectKey }) {
  const { chain, api } = useEthereumChain()
  const client = useQueryClient()
  async function remove() {
    await api.keys.remove({ params: { projectId, keyNumber: String(number) } })
    notifications.show({ message: texts.deleted })
    await client.invalidateQueries({ queryKey: projectKeysOf(chain, projectId) })
  }
  return (
    <ConfirmButton action={texts.delete} title={texts.deleteTitle(name)} size="compact-sm" onConfirm={remove}>
      <Text>{texts.deleteText}</Text>
    </ConfirmButton>
  )
}

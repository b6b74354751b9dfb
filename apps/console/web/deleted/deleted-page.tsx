import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import type { ReactNode } from 'react'
import { nodeOrClusterTitle } from '../nodes/node-or-cluster-title.js'
import type { NodeOrCluster, NodeOrClusterKind } from '../nodes/workload.js'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { SectionTitle } from '../parts/panel.js'
import { exactTime } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemMessage } from '../platform/problem-message.js'
import { useStakingChains } from '../staking/use-staking.js'
import { deletedTexts as texts } from '../texts/deleted.js'
import { remainingText } from './remaining.js'

/** What was deleted and can still be restored. */
export default function DeletedPage() {
  const { data: chains = [] } = useStakingChains()
  return (
    <PageLayout title={texts.title} description={texts.description}>
      <Stack gap="xl">
        <DeletedWorkloads kind="node" />
        <DeletedWorkloads kind="cluster" />
        {chains.map((chain) => (
          <DeletedValidators key={chain} chain={chain} />
        ))}
      </Stack>
    </PageLayout>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <SectionTitle>{title}</SectionTitle>
      {children}
    </Stack>
  )
}

export function DeletedWorkloads({ kind }: { kind: NodeOrClusterKind }) {
  const { nodes, clusters } = platformClient.nodes
  const query = useQuery({
    queryKey: ['nodes', kind, 'deleted'],
    queryFn: async (): Promise<NodeOrCluster[]> => {
      const all = await (kind === 'node' ? nodes : clusters).list({ query: { all: 'true' } })
      return all.filter(({ purgeAt }) => purgeAt !== undefined)
    },
    refetchInterval: 30_000,
  })
  const columns: Column<NodeOrCluster>[] = [
    { name: 'what', header: texts.what, width: '2fr', cell: (workload) => <Named title={nodeOrClusterTitle(workload)} id={workload.id} /> },
    { name: 'left', header: texts.restorable, cell: ({ purgeAt }) => <Deadline until={purgeAt} /> },
    {
      name: 'actions',
      header: texts.actions,
      align: 'right',
      width: '270px',
      cell: ({ id }) => <WorkloadActions kind={kind} id={id} />,
    },
  ]
  return (
    <Section title={texts.kinds[kind]}>
      <Loaded query={query} rows={1}>
        {(rows) => (
          <DataTable label={texts.kinds[kind]} rows={rows} columns={columns} keyOf={({ id }) => id} empty={texts.none} minWidth={720} />
        )}
      </Loaded>
    </Section>
  )
}

function WorkloadActions({ kind, id }: { kind: NodeOrClusterKind; id: string }) {
  const client = useQueryClient()
  const calls = kind === 'node' ? platformClient.nodes.nodes : platformClient.nodes.clusters
  const invalidate = () => client.invalidateQueries({ queryKey: ['nodes'] })
  async function purge() {
    await calls.remove({ params: { id }, query: { purge: 'true' } })
    notifications.show({ message: texts.purged })
    await invalidate()
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <RestoreButton id={id} restore={() => calls.restore({ params: { id } })} onRestored={invalidate} />
      <ConfirmButton action={texts.purge} title={texts.purgeTitle(kind)} size="xs" word={id} onConfirm={purge}>
        <Text>{texts.purgeText}</Text>
      </ConfirmButton>
    </Group>
  )
}

export function DeletedValidators({ chain }: { chain: string }) {
  const client = useQueryClient()
  const { list, restore } = platformClient.staking.validators
  const query = useQuery({
    queryKey: ['staking', 'deleted', chain],
    queryFn: () => list({ params: { chain }, query: { deleted: 'true' } }),
    refetchInterval: 30_000,
  })
  const columns: Column<Validator>[] = [
    { name: 'what', header: texts.what, width: '2fr', cell: ({ pubkey }) => <Hash value={`0x${pubkey}`} short /> },
    { name: 'left', header: texts.restorable, cell: ({ restorableUntil }) => <Deadline until={restorableUntil} /> },
    {
      name: 'actions',
      header: texts.actions,
      align: 'right',
      width: '270px',
      cell: ({ pubkey }) => (
        <RestoreButton
          id={`0x${pubkey}`}
          restore={() => restore({ params: { chain, pubkey } })}
          onRestored={() => client.invalidateQueries({ queryKey: ['staking'] })}
        />
      ),
    },
  ]
  const title = texts.validators(chain)
  return (
    <Section title={title}>
      <Loaded query={query} rows={1}>
        {(rows) => <DataTable label={title} rows={rows} columns={columns} keyOf={({ id }) => id} empty={texts.none} minWidth={720} />}
      </Loaded>
    </Section>
  )
}

function Named({ title, id }: { title: string; id: string }) {
  return (
    <Stack gap={0}>
      <Text fw={600}>{title}</Text>
      <Hash value={id} short />
    </Stack>
  )
}

/** A validator has none as long as it stakes. */
function Deadline({ until }: { until: string | undefined }) {
  if (until === undefined) return texts.asLongAsItStakes
  return (
    <Stack gap={0}>
      <Text inherit>{texts.left(remainingText(until, new Date()))}</Text>
      <Text size="xs" c="dimmed">
        {exactTime(until)}
      </Text>
    </Stack>
  )
}

interface RestoreProps {
  id: string
  restore: () => Promise<unknown>
  onRestored: () => Promise<unknown>
}

function RestoreButton({ id, restore, onRestored }: RestoreProps) {
  const restoring = useMutation({
    mutationFn: restore,
    onSuccess: () => {
      notifications.show({ message: texts.restored })
      return onRestored()
    },
    onError: (error) => notifications.show({ color: 'red', message: problemMessage(error) }),
  })
  return (
    <Button size="xs" variant="default" aria-label={texts.restoreOf(id)} loading={restoring.isPending} onClick={() => restoring.mutate()}>
      {texts.restore}
    </Button>
  )
}

import { Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { NodePhase } from '@trestle/contracts/nodes/shapes'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { SectionTitle } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { useServices } from './use-nodes.js'
import { isTransitional } from './workload.js'

interface ClusterUpdateProps {
  cluster: Cluster
  members: readonly { id: string; phase: NodePhase; software: string }[]
}

/** How far a change of service or size is, and the way back. */
export function ClusterUpdateProgress({ cluster, members }: ClusterUpdateProps) {
  const { updatingService, capacity, state } = cluster
  if (state !== 'started') return null
  if (updatingService !== null) return <ServiceUpdate key={updatingService} cluster={cluster} members={members} to={updatingService} />
  const staying = members.filter(({ phase }) => phase !== 'removing')
  const ready = staying.filter(({ phase }) => phase === 'ready').length
  const isSettled = members.length === capacity && !members.some(({ phase }) => isTransitional(phase))
  // Until it is ready the phase shows its progress.
  if (isSettled || ready === 0) return null
  const done = Math.min(ready, capacity)
  return (
    <Notice
      title={clustersTexts.resizing(capacity)}
      text={clustersTexts.callable(done)}
      done={done}
      all={Math.max(members.length, capacity)}
    />
  )
}

function ServiceUpdate({ cluster, members, to }: ClusterUpdateProps & { to: string }) {
  const { id, capacity } = cluster
  const services = useServices('cluster')
  const client = useQueryClient()
  // Members do not report their service: those present when the page opened and gone since have been replaced.
  const [before] = useState(() => members.filter(({ phase }) => phase === 'ready').map((member) => member.id))
  const replaced = Math.min(before.filter((each) => !members.some((member) => member.id === each)).length, capacity)
  const next = services.data?.find((service) => service.id === to)
  const name = next ? `${next.metadata.software}, ${nodesTexts.sizes[next.metadata.performance].toLowerCase()}` : to
  async function abort() {
    await platformClient.nodes.clusters.abortUpdate({ params: { id } })
    await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
  }
  return (
    <Notice
      title={clustersTexts.updating}
      text={`${clustersTexts.updatingTo(name)} ${clustersTexts.replaced(replaced, capacity)}`}
      done={replaced}
      all={capacity}
      action={
        <ConfirmButton action={clustersTexts.abort} title={clustersTexts.abortTitle} onConfirm={abort} color="orange" size="xs">
          <Text>{clustersTexts.abortText}</Text>
        </ConfirmButton>
      }
    />
  )
}

interface NoticeProps {
  title: string
  text: string
  done: number
  all: number
  action?: ReactNode
}

function Notice({ title, text, done, all, action }: NoticeProps) {
  return (
    <Card withBorder aria-live="polite">
      <Stack gap="xs">
        <Group justify="space-between">
          <SectionTitle>{title}</SectionTitle>
          {action}
        </Group>
        <Text size="sm">{text}</Text>
        <Progress.Root>
          {/* A little of it from the first moment on: something is being done. */}
          <Progress.Section value={Math.max((done / all) * 100, 4)} animated aria-label={title} />
        </Progress.Root>
      </Stack>
    </Card>
  )
}

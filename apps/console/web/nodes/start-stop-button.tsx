import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { DesiredState } from '@trestle/contracts/nodes/shapes'
import { problemMessage } from '../platform/problem-message.js'
import { nodesTexts } from '../texts/nodes.js'
import { useWorkloadActions } from './use-nodes.js'
import type { NodeOrClusterKind } from './workload.js'

/** Stops what is started, and starts what is stopped: neither loses anything. */
export function StartStopButton({ kind, id, state }: { kind: NodeOrClusterKind; id: string; state: DesiredState }) {
  const actions = useWorkloadActions(kind, id)
  const isStopped = state === 'stopped'
  const turn = useMutation({
    mutationFn: isStopped ? actions.start : actions.stop,
    onError: (error) => notifications.show({ color: 'red', message: problemMessage(error) }),
  })
  const Icon = isStopped ? IconPlayerPlay : IconPlayerStop
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      loading={turn.isPending}
      disabled={state === 'removed'}
      onClick={() => turn.mutate()}
    >
      {isStopped ? nodesTexts.page.start : nodesTexts.page.stop}
    </Button>
  )
}

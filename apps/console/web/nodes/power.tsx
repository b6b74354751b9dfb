import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { State } from '@trestle/contracts/nodes/shapes'
import { messageOf } from '../platform/problem-message.js'
import { nodes } from '../texts/nodes.js'
import type { Kind } from './holding.js'
import { useDeeds } from './queries.js'

/** Stops what is started, and starts what is stopped: neither loses anything. */
export function Power({ kind, id, state }: { kind: Kind; id: string; state: State }) {
  const deeds = useDeeds(kind, id)
  const isStopped = state === 'stopped'
  const turn = useMutation({
    mutationFn: isStopped ? deeds.start : deeds.stop,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
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
      {isStopped ? nodes.page.start : nodes.page.stop}
    </Button>
  )
}

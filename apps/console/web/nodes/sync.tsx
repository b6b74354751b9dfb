import { Progress, Stack, Text } from '@mantine/core'
import type { NodeObservation } from '@trestle/contracts/nodes/shapes'
import { formatCount } from '../parts/amount.js'
import { nodesTexts } from '../texts/nodes.js'

const texts = nodesTexts.status

/** How much of its chain a node has, as a bar and in words. */
export function Sync({
  status: { progress, lag },
  size = 'sm',
}: {
  status: Pick<NodeObservation, 'progress' | 'lag'>
  size?: 'sm' | 'lg'
}) {
  if (progress === null) return <Text size="sm">{texts.unknown}</Text>
  // Nearly all is not all.
  const percent = Math.floor(progress * 1000) / 10
  return (
    <Stack gap={2} miw={110}>
      <Progress.Root size={size}>
        <Progress.Section value={percent} color={percent < 100 ? 'blue' : 'teal'} aria-label={texts.syncLabel} />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {percent} %{lag === null ? '' : `, ${lag > 0 ? texts.behind(formatCount(lag)) : texts.upToDate}`}
      </Text>
    </Stack>
  )
}

export function Height({ height }: Pick<NodeObservation, 'height'>) {
  return height === null ? texts.unknown : formatCount(height)
}

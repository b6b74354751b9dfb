import { Alert, Box, Stack, Text } from '@mantine/core'
import { IconHourglass, IconStethoscope } from '@tabler/icons-react'
import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import { Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { blockingCondition } from './workload.js'

/** Nothing is in the way of what is wanted. */
const QUIET: readonly NodePhase[] = ['ready', 'updating', 'stopping', 'stopped', 'removing']

/** Why it is not ready; said aloud when it changes. */
export function ObstacleNotice({ phase, conditions }: { phase: NodePhase; conditions: readonly Condition[] }) {
  return (
    <Box aria-live="polite" mih={52}>
      {QUIET.includes(phase) ? <Text c="dimmed">{nodesTexts.phases[phase].text}</Text> : <Why phase={phase} conditions={conditions} />}
    </Box>
  )
}

function Why({ phase, conditions }: { phase: NodePhase; conditions: readonly Condition[] }) {
  const first = blockingCondition(conditions)
  const isWrong = phase === 'degraded' || phase === 'failed'
  const Icon = isWrong ? IconStethoscope : IconHourglass
  return (
    <Alert
      variant="light"
      color={isWrong ? 'orange' : 'blue'}
      icon={<Icon aria-hidden />}
      title={isWrong ? nodesTexts.page.wrong : nodesTexts.page.waiting}
    >
      <Stack gap={2}>
        <Text size="sm">{nodesTexts.phases[phase].text}</Text>
        {first && (
          <Text size="sm">
            <b>{first.message || first.reason}</b> {/* That time goes by is no news. */}
            <span aria-live="off">
              (<Time value={first.since} />)
            </span>
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

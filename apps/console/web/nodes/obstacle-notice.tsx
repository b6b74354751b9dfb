import { Alert, Box, Stack, Text } from '@mantine/core'
import { IconHourglass, IconStethoscope } from '@tabler/icons-react'
import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import { Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { blockingCondition } from './workload.js'

/** What the notice shows: an explanation where nothing is in the way, otherwise the cause. */
const NOTICES = {
  pending: 'waiting',
  starting: 'waiting',
  syncing: 'waiting',
  updating: 'explanation',
  ready: 'explanation',
  degraded: 'wrong',
  failed: 'wrong',
  stopping: 'explanation',
  stopped: 'explanation',
  removing: 'explanation',
} as const satisfies Record<NodePhase, string>

/** Why it is not ready; screen readers announce a change. */
export function ObstacleNotice({ phase, conditions }: { phase: NodePhase; conditions: readonly Condition[] }) {
  const notice = NOTICES[phase]
  const { text } = nodesTexts.phases[phase]
  return (
    <Box aria-live="polite" mih={52}>
      {notice === 'explanation' ? <Text c="dimmed">{text}</Text> : <Cause notice={notice} text={text} conditions={conditions} />}
    </Box>
  )
}

interface CauseProps {
  notice: 'waiting' | 'wrong'
  text: string
  conditions: readonly Condition[]
}

function Cause({ notice, text, conditions }: CauseProps) {
  const first = blockingCondition(conditions)
  const isWrong = notice === 'wrong'
  const Icon = isWrong ? IconStethoscope : IconHourglass
  return (
    <Alert variant="light" color={isWrong ? 'orange' : 'blue'} icon={<Icon aria-hidden />} title={nodesTexts.page[notice]}>
      <Stack gap={2}>
        <Text size="sm">{text}</Text>
        {first && (
          <Text size="sm">
            <b>{first.message || first.reason}</b> {/* The passing of time is not announced. */}
            <span aria-live="off">
              (<Time value={first.since} />)
            </span>
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

import { Box, Group, Loader, SimpleGrid, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react'
import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import { nodesTexts } from '../texts/nodes.js'
import { type ProgressStep, progressSteps } from './workload.js'

/** Steps towards the desired state: done, in progress, next. */
export function ProgressSteps({ phase, conditions }: { phase: NodePhase; conditions: readonly Condition[] }) {
  const steps = progressSteps(phase, conditions)
  return (
    <SimpleGrid component="ol" cols={{ base: 1, sm: steps.length }} spacing="sm" m={0} p={0} aria-label={nodesTexts.page.progress}>
      {steps.map((step) => (
        <StepItem key={step.name} {...step} />
      ))}
    </SimpleGrid>
  )
}

const COLORS = { done: 'teal', now: 'blue', trouble: 'orange', next: 'gray' }

function StepItem({ name, state }: ProgressStep) {
  const { label, text } = nodesTexts.stepNames[name]
  const color = COLORS[state]
  return (
    <Box
      component="li"
      pt="xs"
      aria-current={state === 'now' || state === 'trouble' ? 'step' : undefined}
      style={{ listStyle: 'none', borderTop: `3px solid var(--mantine-color-${state === 'next' ? 'default-border' : `${color}-6`})` }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" color={color} radius="xl" size={28}>
          <StepIcon state={state} />
        </ThemeIcon>
        <Box>
          <Text fw={600} size="sm">
            {label}{' '}
            <Text span size="xs" c="dimmed">
              {nodesTexts.stepStates[state]}
            </Text>
          </Text>
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        </Box>
      </Group>
    </Box>
  )
}

function StepIcon({ state }: Pick<ProgressStep, 'state'>) {
  if (state === 'done') return <IconCheck size={16} aria-hidden />
  if (state === 'now') return <Loader size={14} aria-hidden />
  if (state === 'trouble') return <IconAlertTriangle size={16} aria-hidden />
  return <IconCircleDashed size={16} aria-hidden />
}

import { Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ethereumPath } from '../ethereum/chain.js'
import { Panel } from '../parts/panel.js'
import { useServedChains } from '../platform/use-chains.js'
import { overviewTexts } from '../texts/overview.js'
import { useClientKeys, useFirstSteps } from './use-overview.js'

const texts = overviewTexts.steps

/** First steps, until a user has done all of them. */
export function FirstSteps() {
  const keys = useClientKeys()
  const firsts = useFirstSteps()
  const evm = useServedChains().find(({ family }) => family === 'evm')
  // Reserve no room for a user who had done all of it last time.
  const [wereDone, setDone] = useLocalStorage({ key: 'trestle-first-steps-done', defaultValue: false, getInitialValueInEffect: false })
  const [isShown] = useState(!wereDone)
  const hasKey = (keys.data?.length ?? 0) > 0
  const { call = false, node = false } = firsts.data ?? {}
  const isAllDone = hasKey && call && node
  useEffect(() => {
    if (isAllDone) setDone(true)
  }, [isAllDone, setDone])
  if (!isShown) return null
  const steps = [
    { ...texts.key, to: '/app/keys', isDone: hasKey },
    { ...texts.call, to: evm ? ethereumPath(evm.name, '/playground') : '/app/ethereum', isDone: call },
    { ...texts.node, to: '/app/nodes/new', isDone: node },
  ]
  return (
    <Panel title={texts.title}>
      <Text c="dimmed">{texts.text}</Text>
      <SimpleGrid component="ol" cols={{ base: 1, sm: 3 }} m={0} p={0}>
        {steps.map((step) => (
          <StepItem key={step.to} {...step} />
        ))}
      </SimpleGrid>
    </Panel>
  )
}

/** Keeps its height when done, so that nothing below moves. */
function StepItem({ title, text, action, to, isDone }: { title: string; text: string; action: string; to: string; isDone: boolean }) {
  const Icon = isDone ? IconCheck : IconCircleDashed
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" style={{ listStyle: 'none' }}>
      <ThemeIcon variant="light" color={isDone ? 'teal' : 'gray'} radius="xl">
        <Icon size={16} aria-hidden />
      </ThemeIcon>
      <Stack gap={6} align="flex-start">
        <Text fw={600}>
          {title}{' '}
          <Text span size="xs" c="dimmed">
            {isDone ? texts.done : texts.open}
          </Text>
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <Button component={Link} to={to} size="xs" variant="light" style={{ visibility: isDone ? 'hidden' : 'visible' }}>
          {action}
        </Button>
      </Stack>
    </Group>
  )
}

import { Alert, Text, Timeline } from '@mantine/core'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Panel } from '../parts/panel.js'
import { exactTime, Time } from '../parts/time.js'
import { stakingTexts } from '../texts/staking.js'
import { type LifecycleStep, type LifecycleStepName, stepsOf } from './lifecycle.js'
import { depositNetwork } from './networks.js'

const texts = stakingTexts.steps
const ICONS = { done: <IconCheck size={14} aria-hidden />, now: <IconDots size={14} aria-hidden />, ahead: undefined }

/** From the key to the last payment: what is done and when, what is under way, and how long the rest takes. */
export function LifecycleTimeline({ validator }: { validator: Validator }) {
  const steps = stepsOf(validator)
  const expected = depositNetwork(validator.chain)?.isQuick ? texts.quick : texts.usual
  const isCompromised = validator.phase === 'spoiled'
  const shown = isCompromised ? steps.filter(({ state }) => state === 'done') : steps
  return (
    <Panel title={texts.title}>
      <Timeline
        active={shown.filter(({ state }) => state !== 'ahead').length - 1}
        bulletSize={24}
        lineWidth={2}
        color="teal"
        aria-live="polite"
      >
        {shown.map((step) => (
          <Timeline.Item
            key={step.name}
            bullet={ICONS[step.state]}
            color={step.state === 'now' ? 'blue' : 'teal'}
            lineVariant={step.state === 'done' ? 'solid' : 'dashed'}
            title={<StepTitle step={step} />}
            aria-current={step.state === 'now' ? 'step' : undefined}
          >
            <When step={step} expected={expected} />
          </Timeline.Item>
        ))}
      </Timeline>
      {isCompromised && (
        <Alert color="red" variant="light" icon={<IconX aria-hidden />}>
          {texts.compromised}
        </Alert>
      )}
    </Panel>
  )
}

function StepTitle({ step: { name, state } }: { step: LifecycleStep }) {
  return (
    <Text component="span" fw={state === 'now' ? 700 : 500} c={state === 'ahead' ? 'dimmed' : undefined}>
      {texts.names[name]}{' '}
      <Text component="span" size="xs" c="dimmed">
        ({texts.states[state]})
      </Text>
    </Text>
  )
}

function When({ step: { name, state, at }, expected }: { step: LifecycleStep; expected: Readonly<Record<LifecycleStepName, string>> }) {
  return (
    <Text size="sm" c="dimmed" component="div" mih={20}>
      {at && (
        <div>
          <Time value={at} /> · {exactTime(at)}
        </div>
      )}
      {state !== 'done' && expected[name]}
    </Text>
  )
}

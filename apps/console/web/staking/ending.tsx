import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Confirm } from '../parts/confirm.js'
import { trestle } from '../platform/client.js'
import { staking } from '../texts/staking.js'
import { Exit } from './exit.js'
import { canExit, isStaking } from './lifecycle.js'

/** What ends a validator, and what only takes it out of sight. */
export function Ending({ validator }: { validator: Validator }) {
  return (
    <>
      <Part title={staking.exit.title} text={exitText(validator)}>
        {canExit(validator) && <Exit validator={validator} />}
      </Part>
      <Part title={staking.remove.title} text={staking.remove.text}>
        <Remove validator={validator} />
      </Part>
    </>
  )
}

function exitText({ phase, exitRequestedAt }: Validator): string {
  if (phase === 'exited' || phase === 'withdrawn') return staking.exit.over
  if (exitRequestedAt !== null || phase === 'exiting') return `${staking.exit.asked}. ${staking.exit.askedText}`
  return canExit({ phase, exitRequestedAt }) ? staking.exit.text : staking.exit.early
}

function Remove({ validator }: { validator: Validator }) {
  const { chain, pubkey } = validator
  const texts = staking.remove
  const client = useQueryClient()
  const navigate = useNavigate()
  const staked = isStaking(validator)
  async function remove() {
    await trestle.staking.validators.remove({ params: { chain, pubkey } })
    notifications.show({ message: texts.done })
    await navigate('/app/staking')
    client.removeQueries({ queryKey: ['staking', 'validator', pubkey] })
    await client.invalidateQueries({ queryKey: ['staking'] })
  }
  return (
    <Confirm action={texts.action} title={texts.question} word={staked ? `0x${pubkey}` : undefined} onConfirm={remove}>
      <Text>{staked ? texts.staking : texts.text}</Text>
      {validator.depositedAt === null && <Text>{texts.unpaid}</Text>}
    </Confirm>
  )
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between">
        <Stack gap={4} flex="1 1 260px">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text c="dimmed">{text}</Text>
        </Stack>
        {children}
      </Group>
    </Card>
  )
}

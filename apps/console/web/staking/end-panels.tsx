import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Panel } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { organizationTexts } from '../texts/organization.js'
import { stakingTexts } from '../texts/staking.js'
import { TransferPanel } from '../transfer/transfer-panel.js'
import { ExitButton } from './exit-button.js'
import { canExit, isAtStake } from './lifecycle.js'

/** Exits a validator, or removes it from the list. */
export function EndPanels({ validator }: { validator: Validator }) {
  return (
    <>
      <Panel
        title={stakingTexts.exit.title}
        text={exitText(validator)}
        action={canExit(validator) && <ExitButton validator={validator} />}
      />
      <Transfer validator={validator} />
      <Panel title={stakingTexts.remove.title} text={stakingTexts.remove.text} action={<Remove validator={validator} />} />
    </>
  )
}

function exitText({ phase, exitRequestedAt }: Validator): string {
  if (phase === 'exited' || phase === 'withdrawn') return stakingTexts.exit.over
  if (exitRequestedAt !== null || phase === 'exiting') return `${stakingTexts.exit.requested}. ${stakingTexts.exit.requestedText}`
  return canExit({ phase, exitRequestedAt }) ? stakingTexts.exit.text : stakingTexts.exit.early
}

function Transfer({ validator: { chain, pubkey, organization: owner } }: { validator: Validator }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  async function transfer(organization: string) {
    await platformClient.staking.validators.transfer({ params: { chain, pubkey }, body: { organization } })
    await navigate('/app/staking')
    client.removeQueries({ queryKey: ['staking', 'validator', pubkey] })
    await client.invalidateQueries({ queryKey: ['staking'] })
  }
  return (
    <TransferPanel
      what={stakingTexts.remove.thisOne}
      text={organizationTexts.transfer.validatorText}
      organizationId={owner}
      permission="staking:create"
      onTransfer={transfer}
    />
  )
}

function Remove({ validator }: { validator: Validator }) {
  const { chain, pubkey } = validator
  const texts = stakingTexts.remove
  const client = useQueryClient()
  const navigate = useNavigate()
  const staked = isAtStake(validator)
  async function remove() {
    await platformClient.staking.validators.remove({ params: { chain, pubkey } })
    notifications.show({ message: texts.done })
    await navigate('/app/staking')
    client.removeQueries({ queryKey: ['staking', 'validator', pubkey] })
    await client.invalidateQueries({ queryKey: ['staking'] })
  }
  return (
    <ConfirmButton action={texts.action} title={texts.question} word={staked ? `0x${pubkey}` : undefined} onConfirm={remove}>
      <Text>{staked ? texts.staking : texts.text}</Text>
      {validator.depositedAt === null && <Text>{texts.unpaid}</Text>}
    </ConfirmButton>
  )
}

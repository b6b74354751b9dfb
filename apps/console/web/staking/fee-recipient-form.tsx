import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { type FormEvent, useState } from 'react'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { fieldErrors } from '../platform/problem-message.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { earnsFees } from './lifecycle.js'
import { isUsableAddress } from './validator-form.js'

const texts = stakingTexts.fee

/** Changes who receives the fees of its blocks, while it proposes any. */
export function FeeRecipientForm({ validator: { chain, pubkey, phase } }: { validator: Validator }) {
  const [address, setAddress] = useState('')
  const client = useQueryClient()
  const feeAddress = address.trim()
  const changing = useMutation({
    mutationFn: () => platformClient.staking.validators.changeFeeAddress({ params: { chain, pubkey }, body: { feeAddress } }),
    onSuccess: async () => {
      setAddress('')
      notifications.show({ message: texts.done })
      await client.invalidateQueries({ queryKey: ['staking'] })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate()
  }
  if (!earnsFees({ phase })) return null
  return (
    <Panel title={texts.title} text={texts.text}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <AddressField label={texts.label} value={address} onChange={setAddress} error={fieldErrors(changing.error)['feeAddress']} />
          {changing.error && <ProblemNotice error={changing.error} />}
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending} disabled={!isUsableAddress(feeAddress)}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { type FormEvent, useState } from 'react'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { fieldErrors } from '../platform/problem-message.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { isUsableAddress } from './validator-form.js'

const texts = stakingTexts.fee

/** Who gets the fees of its blocks may be changed, as long as it makes any. */
export function FeeRecipientForm({ validator: { chain, pubkey, phase } }: { validator: Validator }) {
  const [address, setAddress] = useState('')
  const client = useQueryClient()
  const feeAddress = address.trim()
  const changing = useMutation({
    mutationFn: () => trestle.staking.validators.changeFeeAddress({ params: { chain, pubkey }, body: { feeAddress } }),
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
  if (['exited', 'withdrawn', 'spoiled'].includes(phase)) return null
  return (
    <Card withBorder p="lg" component="section" aria-label={texts.title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {texts.title}
          </Title>
          <Text c="dimmed">{texts.text}</Text>
          <AddressField label={texts.label} value={address} onChange={setAddress} error={fieldErrors(changing.error)['feeAddress']} />
          {changing.error && <ProblemNotice error={changing.error} />}
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending} disabled={!isUsableAddress(feeAddress)}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useReducer } from 'react'
import { textField } from '../parts/form.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { fieldErrors } from '../platform/problem-message.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { canChangeFeeRecipient, EMPTY_FEE_RECIPIENT, feeRecipientBody, reduceFeeRecipient } from './fee-recipient-form.js'
import { earnsFees } from './lifecycle.js'

const texts = stakingTexts.fee

/** Changes who receives the fees of its blocks, while it proposes any. */
export function FeeRecipientPanel({ validator: { chain, pubkey, phase } }: { validator: Validator }) {
  const [form, dispatch] = useReducer(reduceFeeRecipient, EMPTY_FEE_RECIPIENT)
  const client = useQueryClient()
  const changing = useMutation({
    mutationFn: () => platformClient.staking.validators.changeFeeAddress({ params: { chain, pubkey }, body: feeRecipientBody(form) }),
    onSuccess: async () => {
      dispatch({ type: 'saved' })
      notifications.show({ message: texts.done })
      await client.invalidateQueries({ queryKey: ['staking'] })
    },
  })
  if (!earnsFees({ phase })) return null
  return (
    <Panel title={texts.title} text={texts.text}>
      <SubmitForm
        action={texts.submit}
        submission={changing}
        problem={changing.error}
        disabled={!canChangeFeeRecipient(form)}
        variant="default"
        gap="sm"
      >
        <AddressField {...textField(form, dispatch, 'feeAddress')} label={texts.label} error={fieldErrors(changing.error)['feeAddress']} />
      </SubmitForm>
    </Panel>
  )
}

import { Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import { useReducer } from 'react'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { keysTexts as texts } from '../texts/keys.js'
import { KeyFields } from './key-fields.js'
import { canSaveKey, keyChange, keyForm, reduceKey } from './key-form.js'
import { CLIENT_KEYS } from './new-key.js'

/** Changes what a key may do; its secret stays. */
export function EditKeyButton({ of: key }: { of: ClientKey }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {texts.edit}
      </Button>
      <Modal opened={opened} onClose={close} title={texts.editTitle(key.name ?? key.id)} size="lg">
        <EditKeyForm of={key} onDone={close} />
      </Modal>
    </>
  )
}

export function EditKeyForm({ of: key, onDone }: { of: ClientKey; onDone: () => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceKey, key, keyForm)
  const saving = useMutation({
    mutationFn: () => platformClient.accounts.clientKeys.change({ params: { id: key.id }, body: keyChange(form, key, new Date()) }),
    onSuccess: async () => {
      onDone()
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: CLIENT_KEYS })
    },
  })
  const { fields, rest } = problemByField(saving.error)
  return (
    <SubmitForm action={texts.save} submission={saving} problem={rest} disabled={!canSaveKey(form)} button="right">
      <Text size="sm">{texts.editText}</Text>
      <KeyFields form={form} dispatch={dispatch} mistakes={fields} isKept />
    </SubmitForm>
  )
}

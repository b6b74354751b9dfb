import { Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import type { Member } from '@trestle/contracts/accounts/organizations'
import { useReducer } from 'react'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { keysTexts as texts } from '../texts/keys.js'
import { KeyFields } from './key-fields.js'
import { canSaveKey, EMPTY_KEY, keyBody, reduceKey } from './key-form.js'
import { SecretDialog } from './secret-dialog.js'

export const CLIENT_KEYS = ['accounts', 'keys']

interface NewKeyProps {
  opened: boolean
  onClose: () => void
  /** For which it may be, besides the user. */
  serviceAccounts: readonly Member[]
  /** The one that was chosen before. */
  serviceAccountId?: string
}

/** Creates a key and shows its secret. */
export function NewKeyDialog({ opened, onClose, ...choice }: NewKeyProps) {
  return (
    <SecretDialog opened={opened} onClose={onClose} title={texts.create} doneTitle={texts.createdTitle}>
      {(onCreated) => <NewKeyForm onCreated={onCreated} {...choice} />}
    </SecretDialog>
  )
}

interface NewKeyFormProps extends Pick<NewKeyProps, 'serviceAccounts' | 'serviceAccountId'> {
  onCreated: (key: NewClientKey) => void
}

function NewKeyForm({ onCreated, serviceAccounts, serviceAccountId = '' }: NewKeyFormProps) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceKey, { ...EMPTY_KEY, serviceAccountId })
  const creating = useMutation({
    mutationFn: () => platformClient.accounts.clientKeys.create({ body: keyBody(form, new Date()) }),
    onSuccess: async (key) => {
      onCreated(key)
      await client.invalidateQueries({ queryKey: CLIENT_KEYS })
    },
  })
  const { fields, rest } = problemByField(creating.error)
  return (
    <SubmitForm action={texts.create} submission={creating} problem={rest} disabled={!canSaveKey(form)} button="right">
      {serviceAccounts.length > 0 && (
        <Select
          label={texts.of}
          description={texts.serviceAccountHint}
          data={[
            { value: '', label: texts.you },
            ...serviceAccounts.map(({ userId, displayName }) => ({ value: userId, label: displayName })),
          ]}
          value={form.serviceAccountId}
          onChange={(value) => dispatch({ type: 'changed', field: 'serviceAccountId', value: value ?? '' })}
          allowDeselect={false}
        />
      )}
      <KeyFields form={form} dispatch={dispatch} mistakes={fields} />
    </SubmitForm>
  )
}

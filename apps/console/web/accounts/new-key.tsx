import { Checkbox, Group, Modal, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { useReducer, useState } from 'react'
import { utcDay } from '../parts/days.js'
import { type FieldChange, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CreatedKeyNotice } from './created-key.js'
import { EXPIRIES } from './key-expiry.js'
import { canCreateKey, EMPTY_KEY, type Expiry, isExpiry, type KeyForm, keyBody, reduceKey } from './key-form.js'

export const CLIENT_KEYS = ['accounts', 'keys']

const texts = accountsTexts.keys

/** Creates a key and shows its secret, which cannot be shown again: only the button closes it then. */
export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<NewClientKey>()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      title={created ? texts.createdTitle : texts.create}
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? <CreatedKeyNotice created={created} onDone={onClose} /> : <NewKeyForm onCreated={setCreated} />}
    </Modal>
  )
}

function NewKeyForm({ onCreated }: { onCreated: (key: NewClientKey) => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceKey, EMPTY_KEY)
  const creating = useMutation({
    mutationFn: () => platformClient.accounts.clientKeys.create({ body: keyBody(form, new Date()) }),
    onSuccess: async (key) => {
      onCreated(key)
      await client.invalidateQueries({ queryKey: CLIENT_KEYS })
    },
  })
  const { fields, rest } = problemByField(creating.error)
  return (
    <SubmitForm action={texts.create} submission={creating} problem={rest} disabled={!canCreateKey(form)} button="right">
      <TextInput
        {...textField(form, dispatch, 'name')}
        label={texts.name}
        description={texts.nameHint}
        maxLength={100}
        data-autofocus
        error={fields['name']}
      />
      <ScopeFields form={form} dispatch={dispatch} />
      <ExpiryFields form={form} dispatch={dispatch} error={fields['expiresAt']} />
    </SubmitForm>
  )
}

interface FieldsProps {
  form: KeyForm
  dispatch: (event: FieldChange<KeyForm>) => void
}

function ExpiryFields({ form, dispatch, error }: FieldsProps & { error: string | undefined }) {
  const isDay = form.expiry === 'day'
  return (
    <>
      <Select
        label={texts.expiry}
        data={EXPIRIES.map((value) => ({ value, label: labelOf(value) }))}
        value={form.expiry}
        onChange={(value) => isExpiry(value) && dispatch({ type: 'changed', field: 'expiry', value })}
        allowDeselect={false}
        error={isDay ? undefined : error}
      />
      {isDay && (
        <TextInput
          {...textField(form, dispatch, 'lastDay')}
          type="date"
          label={texts.lastDay}
          min={utcDay(new Date())}
          required
          error={error}
        />
      )}
    </>
  )
}

function ScopeFields({ form: { scopes }, dispatch }: FieldsProps) {
  return (
    <Checkbox.Group
      label={texts.scopes}
      description={texts.scopesHint}
      value={[...scopes]}
      onChange={(chosen) => dispatch({ type: 'changed', field: 'scopes', value: CLIENT_AREAS.filter((area) => chosen.includes(area)) })}
      error={scopes.length === 0 && texts.noScope}
    >
      <Group mt="xs">
        {CLIENT_AREAS.map((area) => (
          <Checkbox key={area} value={area} label={texts.area[area]} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function labelOf(expiry: Expiry): string {
  if (expiry === 'never') return texts.forever
  return expiry === 'day' ? texts.onDay : texts.days(Number(expiry))
}

import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS, type ClientArea } from '@trestle/contracts/areas'
import { type FormEvent, useState } from 'react'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CreatedKey } from './created-key.js'
import { EXPIRIES, keyExpiresAt } from './key-expiry.js'

export const CLIENT_KEYS = ['accounts', 'keys']

const texts = accountsTexts.keys

/** Makes a key, and shows its secret, which cannot be shown again: it is closed on purpose only. */
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
      {created ? <CreatedKey created={created} onDone={onClose} /> : <KeyForm onCreated={setCreated} />}
    </Modal>
  )
}

function KeyForm({ onCreated }: { onCreated: (key: NewClientKey) => void }) {
  const client = useQueryClient()
  const [expiry, setExpiry] = useState<string>(EXPIRIES[0])
  const [scopes, setScopes] = useState<string[]>([...CLIENT_AREAS])
  const creating = useMutation({
    mutationFn: (form: FormData) => {
      const name = String(form.get('name')).trim()
      const expiresAt = keyExpiresAt(expiry, String(form.get('lastDay') ?? ''), new Date())
      return trestle.accounts.clientKeys.create({
        body: { scopes: scopes as ClientArea[], ...(name && { name }), ...(expiresAt && { expiresAt }) },
      })
    },
    onSuccess: async (key) => {
      onCreated(key)
      await client.invalidateQueries({ queryKey: CLIENT_KEYS })
    },
  })
  const { fields, rest } = problemByField(creating.error)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    creating.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="name" label={texts.name} description={texts.nameHint} maxLength={100} data-autofocus error={fields['name']} />
        <ScopeFields value={scopes} onChange={setScopes} />
        <Select
          label={texts.expiry}
          data={EXPIRIES.map((value) => ({ value, label: labelOf(value) }))}
          value={expiry}
          onChange={(value) => value && setExpiry(value)}
          allowDeselect={false}
          error={expiry === 'day' ? undefined : fields['expiresAt']}
        />
        {expiry === 'day' && (
          <TextInput
            name="lastDay"
            type="date"
            label={texts.lastDay}
            min={new Date().toISOString().slice(0, 10)}
            required
            error={fields['expiresAt']}
          />
        )}
        {rest !== undefined && <ProblemNotice error={rest} />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending} disabled={scopes.length === 0}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ScopeFields({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }) {
  return (
    <Checkbox.Group
      label={texts.scopes}
      description={texts.scopesHint}
      value={value}
      onChange={onChange}
      error={value.length === 0 && texts.noScope}
    >
      <Group mt="xs">
        {CLIENT_AREAS.map((area) => (
          <Checkbox key={area} value={area} label={texts.area[area]} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function labelOf(expiry: (typeof EXPIRIES)[number]): string {
  if (expiry === 'never') return texts.forever
  return expiry === 'day' ? texts.onDay : texts.days(Number(expiry))
}

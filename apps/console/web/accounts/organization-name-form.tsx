import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useReducer } from 'react'
import { changeField, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { ORGANIZATIONS } from '../platform/use-organizations.js'
import { accountsTexts } from '../texts/accounts.js'

interface OrganizationName {
  readonly name: string
}

interface NameFormProps extends OrganizationName, Pick<ComponentProps<typeof SubmitForm>, 'action' | 'button'> {
  save: (body: OrganizationName) => Promise<unknown>
}

/** Names an organization, a new one or the user's own. */
export function OrganizationNameForm({ name, save, ...submit }: NameFormProps) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<OrganizationName>, { name })
  const saving = useMutation({
    mutationFn: () => save(form),
    onSuccess: () => client.invalidateQueries({ queryKey: ORGANIZATIONS }),
  })
  return (
    <SubmitForm {...submit} submission={saving} problem={saving.error}>
      <TextInput {...textField(form, dispatch, 'name')} label={accountsTexts.organization.name} required maxLength={100} data-autofocus />
    </SubmitForm>
  )
}

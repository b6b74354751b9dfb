import { Group, Radio, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { type FieldChange, textField } from '../parts/form.js'
import { accountsTexts } from '../texts/accounts.js'
import { countriesWith } from './countries.js'
import type { ProfileForm } from './profile-form.js'

const texts = accountsTexts.profile

interface ProfileFieldsProps {
  form: ProfileForm
  dispatch: (event: FieldChange<ProfileForm>) => void
  errors: Readonly<Record<string, string>>
}

export function EntityFields(props: ProfileFieldsProps) {
  const { form, dispatch, errors } = props
  return (
    <>
      <ProfileText {...props} field="displayName" autoComplete="name" maxLength={200} required />
      <Radio.Group
        label={texts.entityType}
        value={form.entityType}
        onChange={(value) => dispatch({ type: 'changed', field: 'entityType', value: value === 'company' ? 'company' : 'individual' })}
        error={errors['entityType']}
      >
        <Group mt={4}>
          <Radio value="individual" label={texts.individual} />
          <Radio value="company" label={texts.company} />
        </Group>
      </Radio.Group>
    </>
  )
}

export function BillingFields(props: ProfileFieldsProps) {
  const { form, dispatch, errors } = props
  const countries = useMemo(() => countriesWith(form.country), [form.country])
  return (
    <>
      <Select
        label={texts.country}
        data={countries}
        value={form.country || null}
        onChange={(value) => dispatch({ type: 'changed', field: 'country', value: value ?? '' })}
        searchable
        required
        withAsterisk
        nothingFoundMessage={texts.noCountry}
        error={errors['country']}
      />
      <ProfileText {...props} field="address" autoComplete="street-address" maxLength={400} required />
      <Group grow align="flex-start">
        <ProfileText {...props} field="zipCode" autoComplete="postal-code" maxLength={40} />
        <ProfileText {...props} field="state" autoComplete="address-level1" maxLength={100} />
      </Group>
    </>
  )
}

interface ProfileTextProps extends ProfileFieldsProps {
  field: 'displayName' | 'address' | 'zipCode' | 'state'
  autoComplete: string
  maxLength: number
  required?: boolean
}

function ProfileText({ form, dispatch, errors, field, ...input }: ProfileTextProps) {
  return <TextInput {...input} {...textField(form, dispatch, field)} label={texts[field]} error={errors[field]} />
}

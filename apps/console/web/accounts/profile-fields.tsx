import { Group, Radio, Select, TextInput } from '@mantine/core'
import type { BillingAddress, UserProfile } from '@trestle/contracts/accounts/users'
import { useMemo } from 'react'
import { accountsTexts } from '../texts/accounts.js'
import { countriesWith } from './countries.js'

const texts = accountsTexts.profile

interface FieldsProps<T> {
  given?: T
  errors: Readonly<Record<string, string>>
}

export function EntityFields({ given, errors }: FieldsProps<Pick<UserProfile, 'displayName' | 'entityType'>>) {
  return (
    <>
      <TextInput
        name="displayName"
        label={texts.displayName}
        autoComplete="name"
        maxLength={200}
        required
        defaultValue={given?.displayName}
        error={errors['displayName']}
      />
      <Radio.Group name="entityType" label={texts.entityType} defaultValue={given?.entityType ?? 'individual'} error={errors['entityType']}>
        <Group mt={4}>
          <Radio value="individual" label={texts.individual} />
          <Radio value="company" label={texts.company} />
        </Group>
      </Radio.Group>
    </>
  )
}

export function BillingFields({ given, errors }: FieldsProps<BillingAddress>) {
  const countries = useMemo(() => countriesWith(given?.country), [given?.country])
  return (
    <>
      <Select
        name="country"
        label={texts.country}
        data={countries}
        defaultValue={given?.country}
        searchable
        required
        withAsterisk
        nothingFoundMessage={texts.noCountry}
        error={errors['country']}
      />
      <TextInput
        name="address"
        label={texts.address}
        autoComplete="street-address"
        maxLength={400}
        required
        defaultValue={given?.address}
        error={errors['address']}
      />
      <Group grow align="flex-start">
        <TextInput
          name="zipCode"
          label={texts.zipCode}
          autoComplete="postal-code"
          maxLength={40}
          defaultValue={given?.zipCode}
          error={errors['zipCode']}
        />
        <TextInput
          name="state"
          label={texts.state}
          autoComplete="address-level1"
          maxLength={100}
          defaultValue={given?.state}
          error={errors['state']}
        />
      </Group>
    </>
  )
}

/** What both kinds of fields of a form say. */
export function profileOf(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  return {
    displayName: text('displayName'),
    entityType: text('entityType') === 'company' ? ('company' as const) : ('individual' as const),
    billingAddress: { country: text('country'), address: text('address'), zipCode: text('zipCode'), state: text('state') },
  }
}

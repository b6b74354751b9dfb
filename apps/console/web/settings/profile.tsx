import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UserProfile } from '@trestle/contracts/accounts/users'
import type { FormEvent } from 'react'
import { BillingFields, EntityFields, profileOf } from '../accounts/profile-fields.js'
import { Loaded } from '../parts/loaded.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { settingsTexts as texts } from '../texts/settings.js'
import { SettingsSection } from './section.js'

const ME = ['accounts', 'me']

export function ProfileSection() {
  const me = useQuery({ queryKey: ME, queryFn: () => trestle.accounts.users.me() })
  return (
    <SettingsSection title={texts.sections.profile}>
      <Loaded query={me} rows={8}>
        {(profile) => <Form profile={profile} />}
      </Loaded>
    </SettingsSection>
  )
}

function Form({ profile }: { profile: UserProfile }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (form: FormData) => trestle.accounts.users.update({ body: profileOf(form) }),
    onSuccess: (saved) => {
      client.setQueryData(ME, saved)
      notifications.show({ message: texts.saved })
    },
  })
  const { fields, rest } = problemByField(saving.error)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    saving.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={520}>
        <TextInput label={texts.email} description={texts.emailHint} value={profile.email} readOnly variant="filled" />
        <EntityFields given={profile} errors={fields} />
        <BillingFields given={profile.billingAddress} errors={fields} />
        {rest !== undefined && <ProblemNotice error={rest} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UserProfile } from '@trestle/contracts/accounts/users'
import { useReducer } from 'react'
import { BillingFields, EntityFields } from '../accounts/profile-fields.js'
import { type ProfileForm, profileBody, profileForm } from '../accounts/profile-form.js'
import { changeField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { settingsTexts as texts } from '../texts/settings.js'

const ME = ['accounts', 'me']

export function ProfileSection() {
  const me = useQuery({ queryKey: ME, queryFn: () => platformClient.accounts.users.me() })
  return (
    <Panel title={texts.sections.profile}>
      <Loaded query={me} rows={8}>
        {(profile) => <ProfileFields profile={profile} />}
      </Loaded>
    </Panel>
  )
}

function ProfileFields({ profile }: { profile: UserProfile }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<ProfileForm>, profile, profileForm)
  const saving = useMutation({
    mutationFn: () => platformClient.accounts.users.update({ body: profileBody(form) }),
    onSuccess: (saved) => {
      client.setQueryData(ME, saved)
      notifications.show({ message: texts.saved })
    },
  })
  const { fields, rest } = problemByField(saving.error)
  const given = { form, dispatch, errors: fields }
  return (
    <SubmitForm action={texts.save} submission={saving} problem={rest} maxWidth={520}>
      <TextInput label={texts.email} description={texts.emailHint} value={profile.email} readOnly variant="filled" />
      <EntityFields {...given} />
      <BillingFields {...given} />
    </SubmitForm>
  )
}

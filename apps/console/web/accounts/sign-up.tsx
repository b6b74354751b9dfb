import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { BillingFields, EntityFields, profileOf } from './profile-fields.js'

const texts = accountsTexts.signUp
const FIELD_OF = { WeakPassword: 'password', InvalidEmail: 'email', InvalidInvitation: 'invitation' }

export default function SignUp() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const entering = useMutation({
    mutationFn: async (form: FormData) => {
      const email = String(form.get('email'))
      const invitation = String(form.get('invitation') ?? '').trim()
      const body = { ...profileOf(form), email, password: String(form.get('password')), ...(invitation && { invitation }) }
      await trestle.accounts.users.register({ body })
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'signUp', email })}`)
    },
  })
  const { fields, rest } = problemByField(entering.error, FIELD_OF)
  const invitation = query.get('invitation')
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    entering.mutate(new FormData(event.currentTarget))
  }
  return (
    <CenteredPage title={texts.title}>
      <form onSubmit={submit}>
        <Stack>
          <EmailAndPassword email={query.get('email') ?? ''} errors={fields} />
          <EntityFields errors={fields} />
          {(invitation !== null || fields['invitation']) && (
            <TextInput
              name="invitation"
              label={texts.invitation}
              description={texts.invitationHint}
              defaultValue={invitation ?? ''}
              maxLength={100}
              error={fields['invitation']}
            />
          )}
          <Divider label={texts.billing} labelPosition="left" />
          <BillingFields errors={fields} />
          {rest !== undefined && <ProblemNotice error={rest} />}
          <Button type="submit" loading={entering.isPending}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        {texts.haveOne}{' '}
        <Anchor component={Link} to="/app/account/sign-in" inherit underline="always">
          {texts.signIn}
        </Anchor>
      </Text>
    </CenteredPage>
  )
}

function EmailAndPassword({ email, errors }: { email: string; errors: Readonly<Record<string, string>> }) {
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={accountsTexts.profile.email}
        autoComplete="username"
        required
        autoFocus
        defaultValue={email}
        error={errors['email']}
      />
      <PasswordInput
        name="password"
        label={accountsTexts.profile.password}
        description={accountsTexts.profile.passwordHint}
        autoComplete="new-password"
        required
        error={errors['password']}
      />
    </>
  )
}

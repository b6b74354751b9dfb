import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useReducer } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { FieldChange } from '../parts/form.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { BillingFields, EntityFields } from './profile-fields.js'
import { emptySignUp, reduceSignUp, SIGN_UP_FIELDS, type SignUpForm, signUpBody } from './sign-up-form.js'

const texts = accountsTexts.signUp

export default function SignUpPage() {
  return (
    <CenteredPage title={texts.title}>
      <SignUpFields />
      <Text size="sm">
        {texts.haveOne}{' '}
        <Anchor component={Link} to="/app/account/sign-in" inherit underline="always">
          {texts.signIn}
        </Anchor>
      </Text>
    </CenteredPage>
  )
}

function SignUpFields() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isInvited = query.has('invitation')
  const [form, dispatch] = useReducer(reduceSignUp, { email: query.get('email'), invitation: query.get('invitation') }, emptySignUp)
  const signingUp = useMutation({
    mutationFn: async () => {
      const body = signUpBody(form)
      await platformClient.accounts.users.register({ body })
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'signUp', email: body.email })}`)
    },
  })
  const { fields, rest } = problemByField(signingUp.error, SIGN_UP_FIELDS)
  const given = { form, dispatch, errors: fields }
  function submit(event: FormEvent) {
    event.preventDefault()
    signingUp.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <EmailAndPassword {...given} />
        <EntityFields {...given} />
        {(isInvited || fields['invitation']) && <InvitationField {...given} />}
        <Divider label={texts.billing} labelPosition="left" />
        <BillingFields {...given} />
        {rest !== undefined && <ProblemNotice error={rest} />}
        <Button type="submit" loading={signingUp.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}

interface FieldsProps {
  form: SignUpForm
  dispatch: (event: FieldChange<SignUpForm>) => void
  errors: Readonly<Record<string, string>>
}

function InvitationField({ form, dispatch, errors }: FieldsProps) {
  return (
    <TextInput
      label={texts.invitation}
      description={texts.invitationHint}
      value={form.invitation}
      onChange={(event) => dispatch({ type: 'changed', field: 'invitation', value: event.currentTarget.value })}
      maxLength={100}
      error={errors['invitation']}
    />
  )
}

function EmailAndPassword({ form, dispatch, errors }: FieldsProps) {
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={accountsTexts.profile.email}
        autoComplete="username"
        required
        autoFocus
        value={form.email}
        onChange={(event) => dispatch({ type: 'changed', field: 'email', value: event.currentTarget.value })}
        error={errors['email']}
      />
      <PasswordInput
        name="password"
        label={accountsTexts.profile.password}
        description={accountsTexts.profile.passwordHint}
        autoComplete="new-password"
        required
        value={form.password}
        onChange={(event) => dispatch({ type: 'changed', field: 'password', value: event.currentTarget.value })}
        error={errors['password']}
      />
    </>
  )
}

import { Anchor, Divider, PasswordInput, Progress, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { changeField, type FieldChange, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { BillingFields, EntityFields } from './profile-fields.js'
import { emptySignUp, SIGN_UP_FIELDS, type SignUpForm, signUpBody } from './sign-up-form.js'

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
  const [form, dispatch] = useReducer(
    changeField<SignUpForm>,
    { email: query.get('email'), invitation: query.get('invitation') },
    emptySignUp,
  )
  const [proofShare, setProofShare] = useState<number>()
  const signingUp = useMutation({
    mutationFn: async () => {
      const body = signUpBody(form)
      await platformClient.accounts.users.register({ body, onProof: setProofShare })
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'signUp', email: body.email })}`)
    },
    onSettled: () => setProofShare(undefined),
  })
  const { fields, rest } = problemByField(signingUp.error, SIGN_UP_FIELDS)
  const given = { form, dispatch, errors: fields }
  return (
    <SubmitForm action={texts.submit} submission={signingUp} problem={rest} button="wide">
      <EmailAndPassword {...given} />
      <EntityFields {...given} />
      {(isInvited || fields['invitation']) && <InvitationField {...given} />}
      <Divider label={texts.billing} labelPosition="left" />
      <BillingFields {...given} />
      {proofShare !== undefined && <ProofProgress share={proofShare} />}
    </SubmitForm>
  )
}

/** The chance that the proof would have been found by now: it never reaches the end. */
function ProofProgress({ share }: { share: number }) {
  return (
    <>
      <Text size="sm" role="status">
        {texts.proof}
      </Text>
      <Progress value={share * 100} aria-label={texts.proofProgress} />
    </>
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
      {...textField(form, dispatch, 'invitation')}
      maxLength={100}
      error={errors['invitation']}
    />
  )
}

function EmailAndPassword({ form, dispatch, errors }: FieldsProps) {
  return (
    <>
      <TextInput
        type="email"
        label={accountsTexts.profile.email}
        autoComplete="username"
        required
        autoFocus
        {...textField(form, dispatch, 'email')}
        error={errors['email']}
      />
      <PasswordInput
        label={accountsTexts.profile.password}
        description={accountsTexts.profile.passwordHint}
        autoComplete="new-password"
        required
        {...textField(form, dispatch, 'password')}
        error={errors['password']}
      />
    </>
  )
}

import { Anchor, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useReducer } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { changeField, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { RESET_REQUEST_FIELDS, type ResetRequestForm, resetRequestForm, sentPath } from './reset-form.js'

const texts = accountsTexts.forgot

export default function Forgot() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [form, dispatch] = useReducer(changeField<ResetRequestForm>, query.get('email'), resetRequestForm)
  const requesting = useMutation({
    mutationFn: async () => {
      await platformClient.accounts.users.requestReset({ body: form })
      await navigate(sentPath(form))
    },
  })
  const { fields, rest } = problemByField(requesting.error, RESET_REQUEST_FIELDS)
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      <SubmitForm action={texts.submit} submission={requesting} problem={rest} button="wide">
        <TextInput
          {...textField(form, dispatch, 'email')}
          type="email"
          label={accountsTexts.profile.email}
          autoComplete="username"
          required
          autoFocus
          error={fields['email']}
        />
      </SubmitForm>
      <Anchor component={Link} to="/app/account/sign-in" size="sm">
        {texts.back}
      </Anchor>
    </CenteredPage>
  )
}

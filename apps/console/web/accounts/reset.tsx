import { Anchor, Checkbox, PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useReducer } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { changeField, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { EMPTY_NEW_PASSWORD, NEW_PASSWORD_FIELDS, type NewPasswordForm } from './reset-form.js'

const texts = accountsTexts.reset

/** Where the link in the mail leads. */
export default function Reset() {
  const { id = '', token = '' } = useParams()
  const navigate = useNavigate()
  const [form, dispatch] = useReducer(changeField<NewPasswordForm>, EMPTY_NEW_PASSWORD)
  const setting = useMutation({
    mutationFn: async () => {
      await platformClient.accounts.users.resetPassword({ params: { id, token }, body: form })
      await navigate('/app/account/sign-in?reset=1', { replace: true })
    },
  })
  const { fields, rest } = problemByField(setting.error, NEW_PASSWORD_FIELDS)
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      <SubmitForm action={texts.submit} submission={setting} problem={rest} button="wide">
        <PasswordInput
          {...textField(form, dispatch, 'newPassword')}
          label={texts.password}
          description={accountsTexts.profile.passwordHint}
          autoComplete="new-password"
          required
          autoFocus
          error={fields['newPassword']}
        />
        <Checkbox
          label={texts.endClientKeys}
          description={texts.endClientKeysHint}
          checked={form.endClientKeys}
          onChange={(event) => dispatch({ type: 'changed', field: 'endClientKeys', value: event.currentTarget.checked })}
        />
      </SubmitForm>
      <Anchor component={Link} to="/app/account/forgot" size="sm">
        {texts.again}
      </Anchor>
    </CenteredPage>
  )
}

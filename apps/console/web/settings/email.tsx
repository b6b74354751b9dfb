import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useReducer } from 'react'
import { textField } from '../parts/form.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { OwnerPassword } from '../second-factors/owner-password.js'
import { settingsTexts } from '../texts/settings.js'
import { EMAIL_FIELDS, EMPTY_EMAIL, reduceEmail } from './email-form.js'

const texts = settingsTexts.emailChange

export function EmailSection() {
  const [form, dispatch] = useReducer(reduceEmail, EMPTY_EMAIL)
  const requesting = useMutation({
    mutationFn: () => platformClient.accounts.emailChanges.request({ body: { ...form, password: form.password || undefined } }),
    onSuccess: ({ email }) => {
      dispatch({ type: 'sent' })
      notifications.show({ message: texts.sent(email), autoClose: false })
    },
  })
  const { fields, rest } = problemByField(requesting.error, EMAIL_FIELDS)
  return (
    <Panel title={settingsTexts.sections.email} text={texts.text}>
      <SubmitForm action={texts.submit} submission={requesting} problem={rest} maxWidth={520}>
        <TextInput
          {...textField(form, dispatch, 'email')}
          type="email"
          autoComplete="email"
          label={texts.address}
          required
          error={fields['email']}
        />
        <OwnerPassword {...textField(form, dispatch, 'password')} label={texts.password} error={fields['password']} />
      </SubmitForm>
    </Panel>
  )
}

import { Anchor, PasswordInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import { Link } from 'react-router'
import { textField } from '../parts/form.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { problemByField } from '../platform/problem-by-field.js'
import { requestPasswordChange } from '../platform/session.client.js'
import { SESSION } from '../platform/use-session.js'
import { useSecondFactors } from '../second-factors/use-factors.js'
import { accountsTexts } from '../texts/accounts.js'
import { settingsTexts as texts } from '../texts/settings.js'
import { EMPTY_PASSWORDS, PASSWORD_FIELDS, reducePasswords } from './password-form.js'
import { SESSIONS } from './sessions.js'

const FIELDS = [
  { field: 'oldPassword', autoComplete: 'current-password' },
  { field: 'newPassword', autoComplete: 'new-password', description: accountsTexts.profile.passwordHint },
] as const

export function PasswordSection() {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reducePasswords, EMPTY_PASSWORDS)
  const changing = useMutation({
    mutationFn: () => requestPasswordChange(form.oldPassword, form.newPassword),
    onSuccess: async () => {
      dispatch({ type: 'saved' })
      notifications.show({ message: texts.passwordChanged })
      await Promise.all([SESSION, SESSIONS].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  const { data: factors } = useSecondFactors()
  const { fields, rest } = problemByField(changing.error, PASSWORD_FIELDS)
  if (factors?.hasPassword === false) return <NoPassword />
  return (
    <Panel title={texts.sections.password}>
      <SubmitForm action={texts.changePassword} submission={changing} problem={rest} maxWidth={520}>
        <Text size="sm">{texts.passwordText}</Text>
        {FIELDS.map(({ field, ...input }) => (
          <PasswordInput {...input} {...textField(form, dispatch, field)} key={field} label={texts[field]} required error={fields[field]} />
        ))}
      </SubmitForm>
    </Panel>
  )
}

function NoPassword() {
  return (
    <Panel title={texts.sections.password} text={texts.noPassword}>
      <Anchor component={Link} to="/app/account/forgot" size="sm">
        {texts.setPassword}
      </Anchor>
    </Panel>
  )
}

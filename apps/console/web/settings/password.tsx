import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ProblemNotice } from '../parts/problem-notice.js'
import { problemByField } from '../platform/problem-by-field.js'
import { requestPasswordChange } from '../platform/session.client.js'
import { SESSION } from '../platform/use-session.js'
import { accountsTexts } from '../texts/accounts.js'
import { settingsTexts as texts } from '../texts/settings.js'
import { SettingsSection } from './section.js'
import { SESSIONS } from './sessions.js'

const FIELD_OF = { WrongPassword: 'oldPassword', WeakPassword: 'newPassword' }

export function PasswordSection() {
  const client = useQueryClient()
  const changing = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = new FormData(form)
      await requestPasswordChange(String(given.get('oldPassword')), String(given.get('newPassword')))
      form.reset()
    },
    onSuccess: async () => {
      notifications.show({ message: texts.passwordChanged })
      await Promise.all([SESSION, SESSIONS].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  const { fields, rest } = problemByField(changing.error, FIELD_OF)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    changing.mutate(event.currentTarget)
  }
  return (
    <SettingsSection title={texts.sections.password}>
      <form onSubmit={submit}>
        <Stack maw={520}>
          <Text size="sm">{texts.passwordText}</Text>
          <PasswordInput
            name="oldPassword"
            label={texts.oldPassword}
            autoComplete="current-password"
            required
            error={fields['oldPassword']}
          />
          <PasswordInput
            name="newPassword"
            label={texts.newPassword}
            description={accountsTexts.profile.passwordHint}
            autoComplete="new-password"
            required
            error={fields['newPassword']}
          />
          {rest !== undefined && <ProblemNotice error={rest} />}
          <Group>
            <Button type="submit" loading={changing.isPending}>
              {texts.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}

import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.reset

/** Where the link of the mail leads that was asked for. */
export default function Reset() {
  const { id = '', token = '' } = useParams()
  const navigate = useNavigate()
  const setting = useMutation({
    mutationFn: async (form: FormData) => {
      await platformClient.accounts.users.resetPassword({ params: { id, token }, body: { newPassword: String(form.get('newPassword')) } })
      await navigate('/app/account/sign-in?reset=1', { replace: true })
    },
  })
  const { fields, rest } = problemByField(setting.error, { WeakPassword: 'newPassword' })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setting.mutate(new FormData(event.currentTarget))
  }
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            name="newPassword"
            label={texts.password}
            description={accountsTexts.profile.passwordHint}
            autoComplete="new-password"
            required
            autoFocus
            error={fields['newPassword']}
          />
          {rest !== undefined && <ProblemNotice error={rest} />}
          <Button type="submit" loading={setting.isPending}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
      <Anchor component={Link} to="/app/account/forgot" size="sm">
        {texts.again}
      </Anchor>
    </CenteredPage>
  )
}

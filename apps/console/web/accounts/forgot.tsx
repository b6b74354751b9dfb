import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.forgot

export default function Forgot() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const requesting = useMutation({
    mutationFn: async (form: FormData) => {
      const email = String(form.get('email'))
      await platformClient.accounts.users.requestReset({ body: { email } })
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'reset', email })}`)
    },
  })
  const { fields, rest } = problemByField(requesting.error, { InvalidEmail: 'email' })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    requesting.mutate(new FormData(event.currentTarget))
  }
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="email"
            type="email"
            label={accountsTexts.profile.email}
            autoComplete="username"
            required
            autoFocus
            defaultValue={query.get('email') ?? ''}
            error={fields['email']}
          />
          {rest !== undefined && <ProblemNotice error={rest} />}
          <Button type="submit" loading={requesting.isPending}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
      <Anchor component={Link} to="/app/account/sign-in" size="sm">
        {texts.back}
      </Anchor>
    </CenteredPage>
  )
}

import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import type { FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { useSessionChange } from '../platform/use-session.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.signIn
/** What the way here tells. */
const NOTICES = ['expired', 'verified', 'reset'] as const

export function SignInPage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const changed = useSessionChange()
  const entering = useMutation({
    mutationFn: async (form: FormData) => {
      const { requestSignIn } = await import('../platform/session.client.js')
      await requestSignIn(String(form.get('email')), String(form.get('password')))
      await changed()
      await navigate(destination(query.get('to') ?? undefined), { replace: true })
    },
    onError: async (error, form) => {
      if (!(error instanceof Problem) || error.code !== 'UserNotVerified') return
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'unverified', email: String(form.get('email')) })}`)
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    entering.mutate(new FormData(event.currentTarget))
  }
  const email = query.get('email') ?? ''
  return (
    <CenteredPage title={texts.title}>
      {NOTICES.filter((what) => query.has(what)).map((what) => (
        <Alert key={what} variant="light">
          {texts[what]}
        </Alert>
      ))}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="email"
            type="email"
            label={texts.email}
            autoComplete="username"
            required
            autoFocus={!email}
            defaultValue={email}
          />
          <PasswordInput name="password" label={texts.password} autoComplete="current-password" required autoFocus={email !== ''} />
          {entering.error && <ProblemNotice error={entering.error} />}
          <Button type="submit" loading={entering.isPending}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
      <Group justify="space-between">
        <Text size="sm">
          {texts.newHere}{' '}
          <Anchor component={Link} to="/app/account/sign-up" underline="always">
            {texts.signUp}
          </Anchor>
        </Text>
        <Anchor component={Link} to="/app/account/forgot" size="sm">
          {texts.forgot}
        </Anchor>
      </Group>
    </CenteredPage>
  )
}

/** Only pages of the console: a link must not lead somebody who signs in elsewhere. */
function destination(to = '/app'): string {
  const isPage = to.startsWith('/app') && (!to.startsWith('/app/account/') || to.startsWith('/app/account/invitation/'))
  return isPage ? to : '/app'
}

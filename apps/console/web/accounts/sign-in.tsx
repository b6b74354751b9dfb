import { Alert, Anchor, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { lazy, Suspense, useReducer, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { changeField, textField } from '../parts/form.js'
import { PageLoading } from '../parts/page-loading.js'
import { SubmitForm } from '../parts/submit-form.js'
import { useSessionChange } from '../platform/use-session.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'
import { ProviderButtons } from './provider-buttons.js'
import { challengeOfHash, destinationOf, emptySignIn, type SignInForm } from './sign-in-form.js'

const PasskeySignIn = lazy(() => import('../second-factors/passkey-sign-in.js'))
const SecondStep = lazy(() => import('../second-factors/second-step.js'))

const texts = accountsTexts.signIn
/** Shown where the address of the page asks for it. */
const NOTICES = ['expired', 'verified', 'reset', 'changed', 'undone'] as const

export function SignInPage() {
  const [query] = useSearchParams()
  const problem = query.get('problem')
  return (
    <CenteredPage title={texts.title}>
      {NOTICES.filter((notice) => query.has(notice)).map((notice) => (
        <Alert key={notice} variant="light">
          {texts[notice]}
        </Alert>
      ))}
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problemText(problem)}
        </Alert>
      )}
      <SignInFields query={query} />
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
      <ProviderButtons to={destinationOf(query.get('to'))} label={texts.or} />
    </CenteredPage>
  )
}

function problemText(code: string): string {
  return (Object.hasOwn(texts.problems, code) && texts.problems[code]) || texts.problem
}

function SignInFields({ query }: { query: URLSearchParams }) {
  const { hash } = useLocation()
  const [challenge, setChallenge] = useState(() => challengeOfHash(hash))
  const enter = useEntry(query.get('to'))
  if (challenge)
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep challenge={challenge} onProven={enter} />
      </Suspense>
    )
  return (
    <>
      <PasswordFields query={query} onChallenge={setChallenge} />
      <Suspense>
        <PasskeySignIn onSignedIn={enter} />
      </Suspense>
    </>
  )
}

interface PasswordFieldsProps {
  query: URLSearchParams
  /** The password is right, and the account has a second factor. */
  onChallenge: (challenge: unknown) => void
}

function PasswordFields({ query, onChallenge }: PasswordFieldsProps) {
  const [form, dispatch] = useReducer(changeField<SignInForm>, query.get('email'), emptySignIn)
  const [hasEmail] = useState(form.email !== '')
  const signingIn = useSignIn(form, query.get('to'), onChallenge)
  return (
    <SubmitForm action={texts.submit} submission={signingIn} problem={signingIn.error} button="wide">
      <TextInput
        {...textField(form, dispatch, 'email')}
        type="email"
        label={texts.email}
        autoComplete="username"
        required
        autoFocus={!hasEmail}
      />
      <PasswordInput
        {...textField(form, dispatch, 'password')}
        label={texts.password}
        autoComplete="current-password"
        required
        autoFocus={hasEmail}
      />
    </SubmitForm>
  )
}

/** Leads on, once a session is open. */
function useEntry(to: string | null) {
  const navigate = useNavigate()
  const changed = useSessionChange()
  return async () => {
    await changed()
    await navigate(destinationOf(to), { replace: true })
  }
}

function useSignIn({ email, password }: SignInForm, to: string | null, onChallenge: (challenge: unknown) => void) {
  const navigate = useNavigate()
  const enter = useEntry(to)
  return useMutation({
    mutationFn: async () => {
      const { requestSignIn } = await import('../platform/session.client.js')
      await requestSignIn(email, password)
      await enter()
    },
    onError: async (error) => {
      if (!(error instanceof Problem)) return
      if (error.code === 'SecondFactorRequired') onChallenge(error.extensions)
      if (error.code !== 'UserNotVerified') return
      await navigate(`/app/account/mail?${new URLSearchParams({ for: 'unverified', email })}`)
    },
  })
}

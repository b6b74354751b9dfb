import { Button, Divider, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ProblemNotice } from '../parts/problem-notice.js'
import { accountsTexts } from '../texts/accounts.js'

export const PROVIDERS = ['session', 'providers']

const texts = accountsTexts.signIn

interface ProviderButtonsProps {
  /** The page to go on with. */
  readonly to: string
  /** Between them and what stands above. */
  readonly label: string | undefined
  /** Whoever is signed in proves who they are, at one of these only. */
  readonly again?: { readonly providers: readonly string[] | undefined }
}

/** The ways to sign in with a company; nothing where there are none. */
export function ProviderButtons({ to, label, again }: ProviderButtonsProps) {
  // Without an answer there is the password.
  const { data = [] } = useQuery({
    queryKey: PROVIDERS,
    queryFn: async () => (await client()).readProviders(),
    retry: false,
    staleTime: 300_000,
  })
  const leaving = useMutation({
    mutationFn: async (provider: string) =>
      location.assign(await (await client()).requestProviderSignIn(provider, { to, again: again && true })),
  })
  const shown = data.filter(({ id }) => again?.providers?.includes(id) ?? true)
  if (shown.length === 0) return null
  return (
    <Stack gap="xs">
      <Divider label={label} />
      {leaving.error && <ProblemNotice error={leaving.error} />}
      {shown.map(({ id, title }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={leaving.isPending && leaving.variables === id}
          onClick={() => leaving.mutate(id)}
        >
          {texts.with(title)}
        </Button>
      ))}
    </Stack>
  )
}

// The sign-in page renders without it.
function client() {
  return import('../platform/session.client.js')
}

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { type ReactNode, useEffect, useState } from 'react'
import { MembershipCheck } from './membership-check.engine.js'
import { SESSION, sessionOf } from './use-session.js'

const PAUSE_MS = 1000

/** The query cache, and the one place that notices the end of a session. */
export function PlatformProvider({ role, children }: { role: string; children: ReactNode }) {
  const [client] = useState(() => createClient(role))
  // Notices an expired session when the user returns to the page, not at the next click.
  useEffect(() => {
    const refresh = () => document.visibilityState === 'visible' && client.invalidateQueries({ queryKey: SESSION })
    document.addEventListener('visibilitychange', refresh)
    return () => document.removeEventListener('visibilitychange', refresh)
  }, [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

function createClient(role: string): QueryClient {
  const memberships = new MembershipCheck({
    list: async () => (await import('./client.js')).platformClient.accounts.organizations.list(),
    refresh: () => client.invalidateQueries(),
    pause: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
  })
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => notice(client, memberships, error) }),
    mutationCache: new MutationCache({ onError: (error) => notice(client, memberships, error) }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchOnWindowFocus: true,
        // The SDK has already retried where that may help.
        retry: false,
      },
    },
  })
  client.setQueryData(SESSION, sessionOf(role))
  return client
}

function notice(client: QueryClient, memberships: MembershipCheck, error: unknown): void {
  if (isSignedOut(error)) client.setQueryData(SESSION, { signedIn: false, expired: true })
  void memberships.notice(error)
}

/** Staking answers 403 to an expired token, the other areas 401. */
function isSignedOut(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return (
    (error.kind === 'unauthenticated' && !['InvalidCredentials', 'StepUpRequired'].includes(error.code)) ||
    (error.kind === 'forbidden' && /expired/.test(error.detail))
  )
}

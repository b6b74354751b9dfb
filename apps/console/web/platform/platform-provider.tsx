import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { type ReactNode, useEffect, useState } from 'react'
import { SESSION, sessionOf } from './use-session.js'

/** What was read, for as long as it is fresh; and the one place that notices that a session has ended. */
export function PlatformProvider({ role, children }: { role: string; children: ReactNode }) {
  const [client] = useState(() => createClient(role))
  // An expired session is noticed when one comes back to the page, not at the next click.
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && client.invalidateQueries({ queryKey: SESSION })
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

function createClient(role: string): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noticeExpiry(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => noticeExpiry(client, error) }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchOnWindowFocus: true,
        // The sdk has tried again already where that may help.
        retry: false,
      },
    },
  })
  client.setQueryData(SESSION, sessionOf(role))
  return client
}

function noticeExpiry(client: QueryClient, error: unknown): void {
  if (isSignedOut(error)) client.setQueryData(SESSION, { signedIn: false, expired: true })
}

/** Staking says 403 of an expired token, the other areas 401. */
function isSignedOut(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return (
    (error.kind === 'unauthenticated' && error.code !== 'InvalidCredentials') ||
    (error.kind === 'forbidden' && /expired/.test(error.detail))
  )
}

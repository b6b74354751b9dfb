import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionState } from './session.client.js'

export const SESSION = ['session']

interface PageSession extends SessionState {
  /** Whether it expired while the page was open. */
  expired?: boolean
}

/** The session of the user. */
export function useSession() {
  return useQuery<PageSession>({ queryKey: SESSION, queryFn: read, staleTime: 60_000 })
}

/** Call after signing in or out: drops all cached data of the previous user. */
export function useSessionChange() {
  const client = useQueryClient()
  return async () => {
    client.clear()
    await client.fetchQuery({ queryKey: SESSION, queryFn: read })
  }
}

/**
 * What the server knew when it sent the page. Only a yes counts: a request from a link on another site carries no cookie
 * (`SameSite=Strict`), so the page has to ask again.
 */
export function sessionOf(role: string): PageSession | undefined {
  return role === 'account' || role === 'manager' ? { signedIn: true, manager: role === 'manager' } : undefined
}

// Most pages render without a request, so the client is loaded on demand.
async function read(): Promise<PageSession> {
  return (await import('./session.client.js')).readSession()
}

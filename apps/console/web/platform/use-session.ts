import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionState } from './session.client.js'

export const SESSION = ['session']

interface PageSession extends SessionState {
  /** Whether it ended by itself while the page was open. */
  expired?: boolean
}

/** Who looks at the page. */
export function useSession() {
  return useQuery<PageSession>({ queryKey: SESSION, queryFn: read, staleTime: 60_000 })
}

/** To be called when somebody has signed in or out: forgets what the page knew of the one before. */
export function useSessionChange() {
  const client = useQueryClient()
  return async () => {
    client.clear()
    await client.fetchQuery({ queryKey: SESSION, queryFn: read })
  }
}

/**
 * What the server knew when it sent the page. Only a yes counts: who comes by a link from elsewhere leaves the cookie at home
 * (`SameSite=Strict`), and is to be asked again from here.
 */
export function sessionOf(role: string): PageSession | undefined {
  return role === 'account' || role === 'manager' ? { signedIn: true, manager: role === 'manager' } : undefined
}

// Most first pictures do without asking, and so without what reads the answer.
async function read(): Promise<PageSession> {
  return (await import('./session.client.js')).readSession()
}

import { Navigate, Outlet, useLocation } from 'react-router'
import { PageLoading } from '../parts/page-loading.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { useSession } from '../platform/use-session.js'

/** Pages that need a session; without one, leads to the sign-in page and back. */
export function RequireSession() {
  const { data, error, refetch } = useSession()
  const { pathname, search } = useLocation()
  if (error && !data) return <ProblemNotice error={error} retry={refetch} />
  if (!data) return <PageLoading />
  if (data.signedIn) return <Outlet />
  const query = new URLSearchParams({ to: pathname + search, ...(data.expired && { expired: '1' }) })
  return <Navigate to={`/app/account/sign-in?${query}`} replace />
}

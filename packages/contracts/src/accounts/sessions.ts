import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'

export const SessionId = idOf('session')

export const Session = z
  .object({
    id: SessionId,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    ip: z.string(),
    userAgent: z.string(),
    /** Whether this is the session of the token that asks. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const sessions = {
  signIn: endpoint({
    method: 'POST',
    path: '/auth',
    summary: 'Sign in with HTTP Basic (user id or e-mail address, and password) and get an account access token for 12 hours.',
    access: 'basic',
    status: 200,
    reply: z.object({ accessToken: z.string() }).meta({ id: 'AccountToken' }),
    problems: ['InvalidCredentials', 'UserNotVerified', 'TooManyAttempts'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/sessions',
    summary: 'Where you are signed in, newest first.',
    access: 'account',
    status: 200,
    reply: z.array(Session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions/{id}',
    summary: 'End one session: its token is refused everywhere within 2 seconds.',
    access: 'account',
    params: z.object({ id: z.string().max(100) }),
    status: 204,
    problems: ['UnknownSession'],
  }),
  endAll: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions',
    summary: 'Sign out everywhere, here too.',
    access: 'account',
    status: 204,
  }),
}

import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'

export const SessionId = idOf('session')

export const SessionClient = z.enum(['command-line'])

export const Session = z
  .object({
    id: SessionId,
    client: SessionClient.optional().meta({
      description: 'What it was opened for: `trestle login --browser` opens one for the command line.',
    }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    /** When it was last used, to within five minutes; a platform of an earlier release does not say. */
    usedAt: Timestamp.optional(),
    ip: z.string(),
    userAgent: z.string(),
    provider: z.string().optional().meta({ description: 'The identity provider that the user signed in with; none with a password.' }),
    /** Whether the request was made with a token of this session. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const AccountToken = z.object({ accessToken: z.string() }).meta({ id: 'AccountToken' })

export const sessions = {
  signIn: endpoint({
    method: 'POST',
    path: '/auth',
    summary:
      'Sign in with HTTP Basic (user id or e-mail address, and password). Returns an account access token that is valid for 12 hours, or until nobody has used the session for two (or as the operator set). For users with a second factor: problem `SecondFactorRequired` with a challenge, which `POST /auth/second-factor` takes.',
    access: 'basic',
    audit: 'sign-in',
    status: 200,
    reply: AccountToken,
    problems: ['InvalidCredentials', 'UserNotVerified', 'SecondFactorRequired', 'TooManyAttempts'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/sessions',
    summary: 'Your sessions, newest first.',
    access: 'account',
    status: 200,
    reply: z.array(Session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions/{id}',
    summary: 'End a session. Its token is refused everywhere within 2 seconds.',
    access: 'account',
    audit: 'sign-out',
    params: z.object({ id: z.string().max(100) }),
    status: 204,
    problems: ['UnknownSession'],
  }),
  endAll: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions',
    summary: 'End all your sessions, including this one.',
    access: 'account',
    audit: 'sign-out',
    status: 204,
  }),
}

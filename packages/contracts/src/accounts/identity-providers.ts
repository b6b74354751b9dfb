import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'

export const ProviderId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens')

export const IdentityProvider = z
  .object({
    id: ProviderId,
    title: z.string(),
    domains: z.array(z.string()).meta({ description: 'The e-mail domains that it decides about.' }),
    required: z.boolean().meta({ description: 'Whether the users of these domains sign in here only, not with a password.' }),
  })
  .meta({ id: 'IdentityProvider' })
export type IdentityProvider = z.infer<typeof IdentityProvider>

const Provider = z.object({ provider: ProviderId })
const BegunSignIn = z.object({ authorizationUrl: z.string(), attempt: z.string(), expiresAt: Timestamp }).meta({ id: 'BegunSignIn' })
const Secret = z.string().min(1).max(200)

export const identityProviders = {
  list: endpoint({
    method: 'GET',
    path: '/identity-providers',
    summary: 'Where companies sign in: the identity providers of this platform.',
    access: 'public',
    status: 200,
    reply: z.array(IdentityProvider),
    recording: 'none',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/identity-providers/{provider}/sign-ins',
    summary:
      'Begin a sign-in. Send the browser to `authorizationUrl`, and keep `attempt` where only this browser has it: without it nobody can finish the sign-in.',
    access: 'public',
    params: Provider,
    status: 201,
    reply: BegunSignIn,
    problems: ['UnknownProvider', 'ProviderUnavailable', 'TooManyRequests'],
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/identity-providers/{provider}/step-ups',
    summary:
      'Begin to prove once more who you are, as `StepUpRequired` asks a user who has neither a password nor a second factor (RFC 9470). The provider is asked to sign you in anew; it goes on as a sign-in does.',
    access: 'account',
    params: Provider,
    status: 201,
    reply: BegunSignIn,
    problems: ['UnknownProvider', 'ProviderUnavailable', 'TooManyRequests'],
  }),
  finish: endpoint({
    method: 'POST',
    path: '/identity-providers/{provider}/sessions',
    summary:
      'Finish a sign-in with the parameters that the provider sent the browser back with. Returns an account access token, as `POST /auth`; after a step-up a newer one of the same session.',
    access: 'public',
    audit: 'sign-in',
    params: Provider,
    body: z
      .object({
        attempt: Secret,
        callback: z.record(z.string().max(40), z.string().max(4096)).meta({ description: 'The query of the redirect.' }),
      })
      .meta({ id: 'SignInCallback' }),
    status: 200,
    reply: z.object({ accessToken: z.string() }).meta({ id: 'ProviderSession' }),
    problems: [
      'UnknownProvider',
      'SignInExpired',
      'ProviderUnavailable',
      'ProviderRefused',
      'InvalidProviderAnswer',
      'EmailNotVerified',
      'IdentityUnlinked',
      'OtherIdentity',
      'StaleSignIn',
      'UserNotVerified',
      'UserDisabled',
      'SignInWithProvider',
      'RegistrationClosed',
      'SecondFactorRequired',
      'TooManyAttempts',
    ],
  }),
}

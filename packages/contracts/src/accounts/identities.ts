import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'
import { ProviderId } from './identity-providers.js'
import { replacedToken } from './second-factors.js'
import { Password } from './users.js'

export const ProviderIdentity = z
  .object({
    id: idOf('identity'),
    provider: ProviderId,
    title: z.string().optional().meta({ description: 'Of the provider; none of one that this platform does not have any more.' }),
    subject: z.string().meta({ description: 'What the provider calls you.' }),
    name: z.string().optional().meta({ description: 'As the provider said at the last sign-in, like `email`.' }),
    email: z.string().optional(),
    linkedAt: Timestamp,
    lastUsedAt: Timestamp,
  })
  .meta({
    id: 'ProviderIdentity',
    description: 'Who an identity provider says you are. Whoever signs in there as this one gets your account.',
  })
export type ProviderIdentity = z.infer<typeof ProviderIdentity>

const Owner = z
  .object({
    password: Password.optional().meta({
      description: 'Required of a user who has one. Others must have just signed in, or proven a second factor: problem `StepUpRequired`.',
    }),
  })
  .meta({ id: 'IdentityOwner' })

export const identities = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/identities',
    summary: 'Your identities at identity providers, the oldest first.',
    access: 'account',
    status: 200,
    reply: z.array(ProviderIdentity),
  }),
  unlink: endpoint({
    method: 'POST',
    path: '/users/me/identities/{id}/unlink',
    summary:
      'Unlink an identity: it no longer opens your account. The roles that its provider granted end, and all sessions but yours, whose token is replaced. Refused where you could not sign in any more.',
    access: 'account',
    audit: 'identity-unlinked',
    stepUp: true,
    params: z.object({ id: z.string().max(100) }),
    body: Owner.optional(),
    status: 200,
    reply: z.object(replacedToken).meta({ id: 'IdentityUnlinked' }),
    problems: ['UnknownIdentity', 'LastSignIn', 'WrongPassword', 'TooManyAttempts'],
  }),
}

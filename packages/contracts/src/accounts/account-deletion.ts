import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { DeletionEffect } from './messages.js'
import { Password } from './users.js'

const Resource = z.object({
  /** The deployment that has them: `nodes`, `staking`, `eth`. */
  deployment: z.string(),
  kind: z.string().meta({ description: '`node`, `cluster`, `validator`, `project`' }),
  state: z.string(),
  count: z.int(),
  effect: DeletionEffect,
})

export const AccountDeletion = z
  .object({
    /** When it was asked for, and when it will be carried out; without these nothing is deleted. */
    requestedAt: Timestamp.optional(),
    dueAt: Timestamp.optional(),
    graceHours: z.int(),
    resources: z.array(Resource),
    organizations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        effect: DeletionEffect.meta({ description: '`kept`: you leave it. `blocks`: you are its last owner.' }),
      }),
    ),
    /** What must be done before the account can be deleted. */
    blockers: z.array(z.string()),
    /** Deployments that do not answer at the moment: what they have is not listed. */
    unreachable: z.array(z.string()),
  })
  .meta({ id: 'AccountDeletion' })
export type AccountDeletion = z.infer<typeof AccountDeletion>

export const accountDeletion = {
  get: endpoint({
    method: 'GET',
    path: '/users/me/deletion',
    summary: 'What would happen to what you have if your account were deleted, and when it will be, if you asked for that.',
    access: 'account',
    status: 200,
    reply: AccountDeletion,
  }),
  request: endpoint({
    method: 'POST',
    path: '/users/me/deletion',
    stepUp: true,
    summary: 'Delete your account, with what you have, after a time of grace. Until then everything works, and you can cancel it.',
    access: 'account',
    audit: 'deletion-requested',
    body: z
      .object({
        password: Password.optional().meta({
          description:
            'Required of a user who has one. Others must have just signed in, or proven a second factor: problem `StepUpRequired`.',
        }),
      })
      .meta({ id: 'DeletionRequest' }),
    status: 202,
    reply: AccountDeletion,
    problems: ['WrongPassword', 'DeletionBlocked', 'TooManyAttempts', 'TooManyRequests'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/users/me/deletion',
    summary: 'Keep your account.',
    access: 'account',
    audit: 'deletion-cancelled',
    status: 204,
    problems: ['NoDeletion'],
  }),
}

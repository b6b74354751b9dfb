import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { EmailInput, Password, UserId, UserIdOrEmail } from './users.js'

const MailedToken = z.object({ id: UserIdOrEmail, token: z.string().max(100) })
const EmailChanged = z.object({ id: UserId, email: z.string(), changedAt: Timestamp }).meta({ id: 'EmailChanged' })

export const emailChanges = {
  request: endpoint({
    method: 'POST',
    path: '/users/me/email-changes',
    stepUp: true,
    creates: true,
    summary:
      'Ask to change your e-mail address. A token is mailed to the new address; until it is used, nothing changes. The response is the same if the address has an account.',
    access: 'account',
    audit: 'email-change-requested',
    body: z
      .object({
        email: EmailInput,
        password: Password.optional().meta({
          description:
            'Required of a user who has one. Others must have just signed in, or proven a second factor: problem `StepUpRequired`.',
        }),
      })
      .meta({ id: 'EmailChange' }),
    status: 202,
    reply: z.object({ email: z.string(), status: z.literal('confirmationSent') }).meta({ id: 'EmailChangeRequested' }),
    problems: ['InvalidEmail', 'WrongPassword', 'ManagedAddress', 'TooManyAttempts', 'TooManyRequests'],
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/users/{id}/email-changes/{token}',
    summary:
      'Change the e-mail address with the token from the mail. Ends all sessions; client keys stay. The old address gets a token to undo it.',
    access: 'public',
    audit: 'email-changed',
    params: MailedToken,
    status: 200,
    reply: EmailChanged,
    problems: ['InvalidToken', 'EmailInUse'],
  }),
  undo: endpoint({
    method: 'DELETE',
    path: '/users/{id}/email-changes/{token}',
    summary:
      'Restore the old e-mail address with the token that was mailed to it. Ends all sessions, client keys, the password, and the links with identity providers since the change; a token to set a new password is mailed.',
    access: 'public',
    audit: 'email-change-undone',
    params: MailedToken,
    status: 200,
    reply: EmailChanged,
    problems: ['InvalidToken', 'EmailInUse'],
  }),
}

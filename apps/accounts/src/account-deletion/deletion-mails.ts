import type { OutgoingMail } from '../mail/mail.js'

interface DeletionMail {
  readonly to: string
  readonly dueAt: Date
  readonly publicUrl: string
}

export function deletionRequestedMail({ to, dueAt, publicUrl }: DeletionMail): OutgoingMail {
  return {
    to,
    subject: 'Your account will be deleted',
    text: `Somebody, probably you, asked to delete your account, with all that you have.

It will be deleted at ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. Until then everything works. To keep it, sign in and choose "Keep my account":

${publicUrl}/app/settings

If it was not you, set a new password, too, which ends all sessions and client keys:

${publicUrl}/app/account/forgot
`,
  }
}

export function accountClosedMail({ to }: Pick<DeletionMail, 'to'>): OutgoingMail {
  return {
    to,
    subject: 'Your account is being deleted',
    text: `The time to keep your account is over. Nobody can sign in to it any more, and within minutes it is deleted, with all that you had.

This is the last mail about it.
`,
  }
}

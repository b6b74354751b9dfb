import { hash } from 'node:crypto'
import type { Role } from '@trestle/contracts/accounts/organizations'
import { Problem } from '@trestle/problem/problem'
import type { OutgoingMail } from '../mail/mail.js'
import type { Email } from '../users/email.js'

const LIFETIME_MS = 72 * 3600_000
// Withdrawn invitations count until they would have expired, so that nobody is mailed without end.
const OPEN_LIMIT = 100

export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly emailCanonical: string
  readonly roles: readonly Role[]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly acceptedAt?: Date
}

export interface NewInvitation {
  readonly id: string
  readonly organizationId: string
  readonly email: Email
  readonly roles: readonly Role[]
  /** How many of the organization may still be open. */
  readonly unaccepted: number
}

export function invite({ id, organizationId, email, roles, unaccepted }: NewInvitation, now: Date): Invitation {
  if (unaccepted >= OPEN_LIMIT)
    throw new Problem(
      'conflict',
      'LimitExceeded',
      `An organization sends at most ${OPEN_LIMIT} invitations in 72 hours that are not accepted.`,
    )
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  return { id, organizationId, email: email.address, emailCanonical: email.canonical, roles, createdAt: now, expiresAt }
}

/** What was sent before then is open no more. */
export function openSince(now: Date): Date {
  return new Date(now.getTime() - LIFETIME_MS)
}

export function hashInvitationToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}

export function isOpen(invitation: Invitation, now: Date): boolean {
  return !invitation.acceptedAt && invitation.expiresAt > now
}

/** The invitation, for its recipient: a token that was passed on lets nobody else in. */
export function requireInvited(invitation: Invitation | undefined, emailCanonical: string, now: Date): Invitation {
  // One problem for all that cannot be accepted: a guesser learns nothing.
  if (!invitation || !isOpen(invitation, now))
    throw new Problem('unknown', 'InvalidInvitation', 'The invitation is unknown, withdrawn, accepted already or expired.')
  if (invitation.emailCanonical !== emailCanonical)
    throw new Problem('forbidden', 'WrongRecipient', 'The invitation was sent to another e-mail address.')
  return invitation
}

/** Where nobody signs up without an invitation. */
export function notInvited(): Problem {
  return new Problem(
    'forbidden',
    'InvalidInvitation',
    'Signing up needs an invitation that was sent to this e-mail address and is still open.',
  )
}

export function unknownInvitation(): Problem {
  return new Problem('unknown', 'UnknownInvitation', 'The organization has no open invitation of this id.')
}

interface InvitationMail {
  readonly to: string
  readonly organization: string
  readonly token: string
  readonly publicUrl: string
}

export function invitationMail({ to, organization, token, publicUrl }: InvitationMail): OutgoingMail {
  return {
    to,
    subject: 'An invitation to an organization',
    text: [
      // A name is one line, or it could pass for more of this mail.
      `You are invited to the organization "${organization.replaceAll(/\s+/g, ' ')}".`,
      'To accept, open this and sign in with this e-mail address (sign up first if you have no account):',
      `${publicUrl}/app/account/invitation/${token}`,
      'Or send with your account access token:',
      `  curl -X PUT -H "Authorization: Bearer $TOKEN" ${publicUrl}/accounts/invitations/${token}`,
      'The invitation is good for 72 hours. If you do not want it, do nothing.',
    ].join('\n\n'),
  }
}

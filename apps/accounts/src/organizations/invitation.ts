import { hash } from 'node:crypto'
import { Problem } from '@trestle/problem/problem'
import type { OutgoingMail } from '../mail/mail.js'
import type { Email } from '../users/email.js'

const LIFETIME_MS = 72 * 3600_000
// Withdrawn invitations count until they would have expired, so that nobody is mailed without end.
const MAX_OPEN = 100

export interface InvitationRecord {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly emailCanonical: string
  readonly roles: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly acceptedAt?: Date
}

interface NewInvitation {
  readonly id: string
  readonly organizationId: string
  readonly email: Email
  readonly roles: readonly string[]
  /** How many invitations of the organization may still be open. */
  readonly unaccepted: number
}

export function invite({ id, organizationId, email, roles, unaccepted }: NewInvitation, now: Date): InvitationRecord {
  if (unaccepted >= MAX_OPEN)
    throw new Problem(
      'conflict',
      'LimitExceeded',
      `An organization may have at most ${MAX_OPEN} invitations of the last 72 hours that were not accepted.`,
    )
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  return { id, organizationId, email: email.address, emailCanonical: email.canonical, roles, createdAt: now, expiresAt }
}

/** Invitations that were sent before then have expired. */
export function openSince(now: Date): Date {
  return new Date(now.getTime() - LIFETIME_MS)
}

export function hashInvitationToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}

export function isOpenInvitation(invitation: InvitationRecord, now: Date): boolean {
  return !invitation.acceptedAt && invitation.expiresAt > now
}

/** The invitation, if the caller is its recipient: a forwarded token is useless to anybody else. */
export function requireInvited(invitation: InvitationRecord | undefined, emailCanonical: string, now: Date): InvitationRecord {
  // The same problem whatever is wrong: guessing reveals nothing.
  if (!invitation || !isOpenInvitation(invitation, now))
    throw new Problem('unknown', 'InvalidInvitation', 'The invitation is unknown, withdrawn, already accepted or expired.')
  if (invitation.emailCanonical !== emailCanonical)
    throw new Problem('forbidden', 'WrongRecipient', 'The invitation was sent to another e-mail address.')
  return invitation
}

/** Where registration needs an invitation. */
export function notInvited(): Problem {
  return new Problem(
    'forbidden',
    'InvalidInvitation',
    'Signing up needs an invitation that was sent to this e-mail address and is still open.',
  )
}

export function unknownInvitation(): Problem {
  return new Problem('unknown', 'UnknownInvitation', 'The organization has no open invitation with this id.')
}

interface InvitationMail {
  readonly to: string
  readonly organization: string
  readonly token: string
  readonly publicUrl: string
}

const MAX_QUOTED_LENGTH = 40

/** A name that a stranger chose, for a mail of ours: short, on one line, inside its quotes, and with nothing that a mail program makes a link of. */
export function quotedName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N} &'()+,_-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const characters = [...plain]
  return characters.length <= MAX_QUOTED_LENGTH ? plain : `${characters.slice(0, MAX_QUOTED_LENGTH).join('').trimEnd()}…`
}

export function invitationMail({ to, organization, token, publicUrl }: InvitationMail): OutgoingMail {
  return {
    to,
    subject: 'An invitation to an organization',
    text: [
      `You are invited to the organization "${quotedName(organization)}".`,
      'To accept, open this and sign in with this e-mail address (sign up first if you have no account):',
      `${publicUrl}/app/account/invitation/${token}`,
      'Or run this with your account token:',
      `  curl -X PUT -H "Authorization: Bearer $TOKEN" ${publicUrl}/accounts/invitations/${token}`,
      'The invitation is valid for 72 hours. If you do not want it, ignore this mail.',
    ].join('\n\n'),
  }
}

import type { OutgoingMail } from '../mail/mail.js'

// As all mails about an account, they contain nothing that somebody else has typed: the new address of an intruder is not in the notice.

interface TokenMail {
  readonly to: string
  readonly userId: string
  readonly token: string
  readonly publicUrl: string
}

export function emailConfirmationMail({ to, userId, token, publicUrl }: TokenMail): OutgoingMail {
  return {
    to,
    subject: 'Confirm your new e-mail address',
    text: `Somebody, probably you, asked to use this e-mail address for an account.

To confirm it, open:

${publicUrl}/app/account/email/${userId}/${token}

Or run:

  curl -X PUT ${publicUrl}/accounts/users/${userId}/email-changes/${token}

Or enter this token:

  ${token}

From then on you sign in with this address, and you are signed out everywhere. Client keys keep working.

The token is valid for 24 hours and can be used once. If it was not you, ignore this mail: nothing changes.
`,
  }
}

export function emailChangedMail({ to, userId, token, publicUrl }: TokenMail): OutgoingMail {
  return {
    to,
    subject: 'Your e-mail address was changed',
    text: `The e-mail address of your account was changed to another one. This address can no longer sign in.

If it was you, ignore this mail. If it was not you, undo it now:

${publicUrl}/app/account/email-undo/${userId}/${token}

Or run:

  curl -X DELETE ${publicUrl}/accounts/users/${userId}/email-changes/${token}

Or enter this token:

  ${token}

This restores the address and ends all sessions, all client keys and the password; you get a mail to set a new password. Whoever has this mail can
do it for 72 hours.
`,
  }
}

export function addressInUseMail({ to, publicUrl }: Pick<TokenMail, 'to' | 'publicUrl'>): OutgoingMail {
  return {
    to,
    subject: 'This e-mail address already has an account',
    text: `Somebody, probably you, asked to use this e-mail address for another account. It already has an account, so nothing was changed.

To sign in to the account of this address, open:

${publicUrl}/app/account/sign-in

If it was not you, ignore this mail.
`,
  }
}

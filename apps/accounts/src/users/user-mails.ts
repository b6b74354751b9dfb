import type { OutgoingMail } from '../mail/mail.js'
import type { User } from './user.js'

type Recipient = Pick<User, 'id' | 'email'>

// Nothing a stranger has typed goes into a mail but its address: anybody can sign up with anybody's.

export function verificationMail({ id, email }: Recipient, token: string, accountsUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'Verify your e-mail address',
    text: `Somebody, most likely you, has signed up with this e-mail address.

To verify the address, run:

  curl -X PUT ${accountsUrl}/users/${id}/token/${token}

Or enter this token:

  ${token}

It is good for 24 hours. If it was not you, do nothing: the account stays closed.
`,
  }
}

export function accountExistsMail({ email }: Recipient, accountsUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'You already have an account',
    text: `Somebody, most likely you, has tried to sign up with this e-mail address. You already have an account, so nothing was changed.

If you have forgotten the password, run:

  curl -X POST ${accountsUrl}/users/password-resets -H 'Content-Type: application/json' -d '{"email": "${email.replaceAll("'", "'\\''")}"}'

If it was not you, do nothing.
`,
  }
}

export function passwordResetMail({ id, email }: Recipient, token: string, accountsUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'Set a new password',
    text: `Somebody, most likely you, has asked to set a new password for your account.

To set it, run this with a new password of at least 15 characters:

  curl -X PUT ${accountsUrl}/users/${id}/password-resets/${token} -H 'Content-Type: application/json' -d '{"newPassword": "..."}'

Or enter this token:

  ${token}

It is good for 30 minutes and can be used once. If it was not you, do nothing: your password stays as it is.
`,
  }
}

export function passwordChangedMail({ email }: Recipient, accountsUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'Your password was changed',
    text: `The password of your account was changed just now, and you were signed out everywhere else.

If it was not you, set a new one at once:

  curl -X POST ${accountsUrl}/users/password-resets -H 'Content-Type: application/json' -d '{"email": "${email.replaceAll("'", "'\\''")}"}'
`,
  }
}

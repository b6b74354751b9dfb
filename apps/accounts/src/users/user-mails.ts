import type { OutgoingMail } from '../mail/mail.js'
import type { User } from './user.js'

type Recipient = Pick<User, 'id' | 'email'>

// A mail contains nothing that a stranger has typed except its address: anybody can sign up with anybody's address.
// Each links to a page of the console, and has the API call for deployments without a console.

/** `repeatedAt`: when it is not the first sign-up with this address. */
export function verificationMail({ id, email }: Recipient, token: string, publicUrl: string, repeatedAt?: Date): OutgoingMail {
  return {
    to: email,
    subject: 'Verify your e-mail address',
    text: `Somebody, probably you, signed up with this e-mail address${repeatedAt ? repeated(repeatedAt) : '.'}

To verify the address, open:

${publicUrl}/app/account/verify/${id}/${token}

Or run:

  curl -X PUT ${publicUrl}/accounts/users/${id}/token/${token}

Or enter this token:

  ${token}

The token is valid for 24 hours. If it was not you, ignore this mail: without the token the account cannot be used.
`,
  }
}

function repeated(at: Date): string {
  return ` at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.

It was not the first time: an earlier mail has a token, too. Each token makes the password of its own sign-up valid, and no other. Use this one
only if it was you who signed up at this time; otherwise use the earlier mail.`
}

export function accountExistsMail({ email }: Recipient, publicUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'You already have an account',
    text: `Somebody, probably you, tried to sign up with this e-mail address. You already have an account, so nothing was changed.

If you have forgotten the password, open:

${publicUrl}/app/account/forgot

Or run:

  curl -X POST ${publicUrl}/accounts/users/password-resets -H 'Content-Type: application/json' -d '{"email": "${email.replaceAll("'", "'\\''")}"}'

If it was not you, ignore this mail.
`,
  }
}

export function passwordResetMail({ id, email }: Recipient, token: string, publicUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'Set a new password',
    text: `Somebody, probably you, asked to set a new password for your account.

To set it, open:

${publicUrl}/app/account/reset/${id}/${token}

Or run this with a new password of at least 15 characters:

  curl -X PUT ${publicUrl}/accounts/users/${id}/password-resets/${token} -H 'Content-Type: application/json' -d '{"newPassword": "..."}'

Or enter this token:

  ${token}

A new password ends all sessions and all client keys; with "endClientKeys": false in the call, the keys stay.

The token is valid for 30 minutes and can be used once. If it was not you, ignore this mail: your password does not change.
`,
  }
}

/** `provider` is the operator's own name for it. */
export function identityLinkedMail({ email }: Recipient, provider: string, publicUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'You can now sign in with your company',
    text: `You, or somebody your company knows by this e-mail address, signed in with the identity provider "${provider}". From now on it opens your account.

If it was not you, tell whoever runs the identity provider, and end the sessions that you do not know:

${publicUrl}/app/settings
`,
  }
}

export function passwordChangedMail({ email }: Recipient, publicUrl: string): OutgoingMail {
  return {
    to: email,
    subject: 'Your password was changed',
    text: `The password of your account has just been changed, and you were signed out everywhere else.

If it was not you, set a new password now:

${publicUrl}/app/account/forgot

Or run:

  curl -X POST ${publicUrl}/accounts/users/password-resets -H 'Content-Type: application/json' -d '{"email": "${email.replaceAll("'", "'\\''")}"}'
`,
  }
}

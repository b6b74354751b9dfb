import type { OutgoingMail } from '../mail/mail.js'

/** A change of a user's second factors, or an attempt on them. */
export interface FactorNotice {
  readonly kind: 'second-factor'
  readonly change: keyof typeof CHANGES
  readonly at: Date
}

export function factorNoticeMail(to: string, { change, at }: FactorNotice, publicUrl: string): OutgoingMail {
  const { subject, text } = CHANGES[change]
  return {
    to,
    subject,
    text: `${text}

  Time:  ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC

If it was not you, set a new password now, which ends all sessions and client keys, and check your second factors:

${publicUrl}/app/account/forgot
${publicUrl}/app/settings
`,
  }
}

const CHANGES = {
  added: {
    subject: 'A second factor was added to your account',
    text: 'A second factor was added to your account: an authenticator app or a passkey. With the first one, all other sessions have ended.',
  },
  removed: { subject: 'A second factor was removed from your account', text: 'A second factor was removed from your account.' },
  reset: {
    subject: 'Your second factors were removed',
    text: 'An administrator has removed all second factors and recovery codes of your account. Your password alone now signs you in.',
  },
  'recovery-codes-replaced': {
    subject: 'You have new recovery codes',
    text: 'The recovery codes of your account were replaced. The earlier ones are no longer valid.',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    text: 'Somebody, probably you, has used a recovery code of your account in place of a second factor. It is not valid any more.',
  },
  guessed: {
    subject: 'Somebody tries to guess your codes',
    text: 'Somebody who has your password, or a session of yours, has sent many wrong codes of your authenticator app. Further attempts are delayed. You can still sign in with a passkey or a recovery code.',
  },
} as const

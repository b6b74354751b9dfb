import type { OutgoingMail } from '../mail/mail.js'

/** An identity provider opens a user's account no longer. `provider` is the operator's own name for it. */
export interface IdentityNotice {
  readonly kind: 'identity-unlinked'
  readonly provider: string
  readonly at: Date
}

export function identityNoticeMail(to: string, { provider, at }: IdentityNotice, publicUrl: string): OutgoingMail {
  return {
    to,
    subject: 'An identity was unlinked from your account',
    text: `An identity at the identity provider "${provider}" was unlinked from your account. It no longer opens it, and all other sessions have ended.

  Time:  ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC

If it was not you, set a new password now, which ends all sessions and client keys, and check your identities:

${publicUrl}/app/account/forgot
${publicUrl}/app/settings
`,
  }
}

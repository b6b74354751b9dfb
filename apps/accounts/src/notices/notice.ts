import type { OutgoingMail } from '../mail/mail.js'

/** What a user is told about by mail. Nothing in it was typed by anybody: an intruder could write to the user otherwise. */
export type Notice =
  | { readonly kind: 'new-client-key'; readonly clientId: string; readonly areas: readonly string[]; readonly at: Date }
  | { readonly kind: 'new-network'; readonly address: string; readonly at: Date }

export function noticeMail(to: string, notice: Notice, publicUrl: string): OutgoingMail {
  switch (notice.kind) {
    case 'new-client-key':
      return {
        to,
        subject: 'A new client key for your account',
        text: `A client key was created for your account.

  Key:    ${notice.clientId}
  Areas:  ${notice.areas.join(', ')}
  Time:   ${timeOf(notice.at)}

If it was not you, delete the key and set a new password now:

${publicUrl}/app/keys
${publicUrl}/app/account/forgot
`,
      }
    case 'new-network':
      return {
        to,
        subject: 'Sign-in from a new network',
        text: `Somebody, probably you, signed in to your account from a network from which nobody has signed in to it lately.

  Address:  ${notice.address}
  Time:     ${timeOf(notice.at)}

If it was not you, set a new password now, which ends all sessions and client keys:

${publicUrl}/app/account/forgot
`,
      }
  }
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

import type { PayloadOf } from '@trestle/contracts/message'
import type { validatorUpdateRequested } from '@trestle/contracts/staking/messages'
import type { OutgoingMail } from '../mail/mail.js'
import { type ApprovalNotice, approvalNoticeMail } from './approval-notice.js'
import { type FactorNotice, factorNoticeMail } from './factor-notice.js'
import { type IdentityNotice, identityNoticeMail } from './identity-notice.js'

/** What a user is told about by mail. Nothing in it was typed by anybody: an intruder could write to the user otherwise. */
export type Notice =
  | { readonly kind: 'new-client-key'; readonly clientId: string; readonly areas: readonly string[]; readonly at: Date }
  | { readonly kind: 'expiring-client-key'; readonly clientId: string; readonly expiresAt: Date }
  | ({ readonly kind: 'validator-update' } & PayloadOf<typeof validatorUpdateRequested>)
  | FactorNotice
  | ApprovalNotice
  | IdentityNotice
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
    case 'expiring-client-key':
      return {
        to,
        subject: 'A client key expires soon',
        text: `A client key that you created expires soon. Programs that use it will be refused then.

  Key:      ${notice.clientId}
  Expires:  ${timeOf(notice.expiresAt)}

Give it a later expiry, or replace it by another one:

${publicUrl}/app/keys
`,
      }
    case 'validator-update':
      return {
        to,
        ...VALIDATOR_UPDATES[notice.change],
        cause: `${notice.change} ${notice.chain} ${notice.pubkey} ${notice.requestedAt}`,
        text: `${VALIDATOR_UPDATES[notice.change].text}

  Chain:      ${notice.chain}
  Validator:  0x${notice.pubkey}
  Time:       ${timeOf(new Date(notice.requestedAt))}

If it was not you, set a new password now, which ends all sessions and client keys, and look at your validators:

${publicUrl}/app/account/forgot
${publicUrl}/app/staking
`,
      }
    case 'approval-requested':
    case 'approval-decided':
      return approvalNoticeMail(to, notice)
    case 'second-factor':
      return factorNoticeMail(to, notice, publicUrl)
    case 'identity-unlinked':
      return identityNoticeMail(to, notice, publicUrl)
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

const VALIDATOR_UPDATES = {
  exit: {
    subject: 'A validator of yours is to exit',
    text: 'The exit of a validator of yours was requested. It cannot be taken back once it was sent.',
  },
  'fee-address': {
    subject: 'The fee address of a validator of yours was changed',
    text: 'Another address was set for a validator of yours to receive the fees of its blocks.',
  },
} satisfies Record<PayloadOf<typeof validatorUpdateRequested>['change'], Pick<OutgoingMail, 'subject' | 'text'>>

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

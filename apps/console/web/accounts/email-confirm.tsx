import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { MailedAction } from './mailed-action.js'

/** The mail to the new address leads here. */
export default function EmailConfirm() {
  return (
    <MailedAction
      texts={accountsTexts.emailConfirm}
      perform={(params) => platformClient.accounts.emailChanges.confirm({ params })}
      notice="changed"
    />
  )
}

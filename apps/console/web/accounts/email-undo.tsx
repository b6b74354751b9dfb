import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { MailedAction } from './mailed-action.js'

/** The mail to the old address leads here. */
export default function EmailUndo() {
  return (
    <MailedAction
      texts={accountsTexts.emailUndo}
      perform={(params) => platformClient.accounts.emailChanges.undo({ params })}
      notice="undone"
    />
  )
}

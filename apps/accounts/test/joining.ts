import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, SOON_MS, type TestUser } from './accounts.js'

interface Joining {
  readonly owner: Pick<TestUser, 'token'>
  readonly organizationId: string
  readonly roles: readonly string[]
}

/** Makes a user a member of an organization: by an invitation, which the user accepts. */
export async function join(accounts: AccountsUnderTest, user: TestUser, { owner, organizationId, roles }: Joining): Promise<void> {
  const body = { email: user.email, roles }
  const { status } = await accounts.call('POST', `/organizations/${organizationId}/invitations`, { token: owner.token, body })
  if (status !== 201) throw new Error(`The invitation was answered with ${status}.`)
  const invited = async () => {
    const mails = await accounts.mails(user.email)
    return mails.map(({ text }) => /\/invitations\/(\S+)/.exec(text)?.[1]).find((token) => token)
  }
  const token = await eventually(invited, `${user.email} is invited`, SOON_MS)
  const accepted = await accounts.call('PUT', `/invitations/${token}`, { token: user.token })
  if (accepted.status !== 200) throw new Error(`Accepting was answered with ${accepted.status}: ${accepted.text}`)
}

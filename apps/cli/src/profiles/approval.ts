import type { UnapprovedRequest } from '@trestle/sdk/connection'
import type { Trestle } from '@trestle/sdk/trestle'
import { EXIT, Failure } from '../failure/failure.js'

/** The token of an approval that was given; else the failure says who has to give it, and what to do then. */
export async function askForApproval(api: Trestle, { organizationId, ...body }: UnapprovedRequest): Promise<string> {
  const { id, token, permission } = await api.accounts.approvals.request({ params: { id: organizationId }, body })
  if (token) return token
  throw new Failure(
    EXIT.forbidden,
    `A second person has to approve this: somebody with ${permission}. They were asked (${id}).`,
    `They run: trestle approvals approve ${id} --org ${organizationId}. Then, within an hour, run the same command again.`,
  )
}

export function keyCannotAsk(): Failure {
  return new Failure(
    EXIT.forbidden,
    'A second person has to approve this, and a client key cannot ask for it.',
    'Log in with your account, and run the command again: trestle login',
  )
}

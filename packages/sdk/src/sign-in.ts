import { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import { Problem } from '@trestle/problem/problem'
import type { Trestle } from './trestle.js'

export interface SignInCredentials {
  readonly email: string
  readonly password: string
  /** Asks for a code of the authenticator app, or a recovery code; called where the account has a second factor. */
  readonly code?: (challenge: FactorChallenge) => Promise<string>
}

/** An account access token of a new session. Without `code`, problem `SecondFactorRequired` where the account has a second factor. */
export async function signIn(
  { accounts }: Pick<Trestle, 'accounts'>,
  { email, password, code }: SignInCredentials,
): Promise<{ accessToken: string }> {
  try {
    return await accounts.sessions.signIn({ basic: { username: email, password } })
  } catch (error) {
    if (!code || !(error instanceof Problem) || error.code !== 'SecondFactorRequired') throw error
    const challenge = FactorChallenge.parse(error.extensions)
    return accounts.secondFactors.answer({ body: { challenge: challenge.challenge, code: await code(challenge) } })
  }
}

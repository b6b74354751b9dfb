import type { Caller } from '@trestle/contracts/caller'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import type { ChallengeRecord } from '../second-factors/challenge.js'
import { perAccount, perNetwork, type Throttle } from '../throttling/throttle.js'
import { parseEmail } from '../users/email.js'
import type { User } from '../users/user.js'

/** The name under which attempts are counted: the same for every spelling, also of an address without an account. */
export function accountOf(user: User | undefined, identifier: string): string {
  return user?.id ?? parseEmail(identifier)?.canonical ?? identifier
}

/**
 * What limits an attempt to sign in. On a network from which the user has signed in lately, neither failures elsewhere nor those of
 * other users of the network cause a wait.
 */
export function signInThrottles(account: string, network: string, isKnown: boolean): Throttle[] {
  const everywhere: Throttle[] = [
    { key: `sign in ${account}`, rule: perAccount, lenient: isKnown },
    { key: `sign in from ${network}`, rule: perNetwork, lenient: isKnown },
  ]
  // Whoever shares a network with the user may still guess.
  return isKnown ? [...everywhere, { key: `sign in ${account} from ${network}`, rule: perNetwork }] : everywhere
}

/** Who may sign in with the right password. A disabled user gets the same reply as an unknown one. */
export function requireAdmitted(user: User | undefined): User {
  if (!user || user.disabledAt) throw invalidCredentials()
  if (!user.verifiedAt)
    throw new Problem(
      'forbidden',
      'UserNotVerified',
      'Verify the e-mail address first, with the token from the mail; sign up again to get a new mail.',
    )
  return user
}

/** The caller of the sign-in itself, so that it leaves an activity record like any other request. */
export function sessionCaller({ userId, sessionId }: { userId: string; sessionId?: string }): Caller {
  // No token was presented, so nothing outlives the request.
  return {
    kind: 'account',
    userId,
    sessionId,
    organizationId: personalOrganizationOf(userId),
    permissions: new Set(),
    areas: [],
    expiresAt: 0,
  }
}

/** Whom a challenge was given to; undefined where nobody was named. */
export function challengedCaller({ userId, sessionId }: Pick<ChallengeRecord, 'userId' | 'sessionId'>): Caller | undefined {
  return userId === null ? undefined : sessionCaller({ userId, sessionId: sessionId ?? undefined })
}

/** The same for everything that can be wrong with credentials. */
export function invalidCredentials(): Problem {
  return new Problem('unauthenticated', 'InvalidCredentials', 'The user or the password is wrong.', {
    // RFC 7617 section 2.1.
    headers: { 'www-authenticate': 'Basic realm="trestle", charset="UTF-8"' },
  })
}

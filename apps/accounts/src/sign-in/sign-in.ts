import type { Caller } from '@trestle/contracts/caller'
import { Problem } from '@trestle/problem/problem'
import { type Counted, perAccount, perNetwork } from '../throttling/throttle.js'
import { parseEmail } from '../users/email.js'
import type { User } from '../users/user.js'

/** Under which name attempts are counted: the same for every spelling, also of an address that nobody has. */
export function accountOf(user: User | undefined, identifier: string): string {
  return user?.id ?? parseEmail(identifier)?.canonical ?? identifier
}

/** What an attempt to sign in is counted under; where the user has been of late, nobody's failures elsewhere make them wait. */
export function countedSignIn(account: string, network: string, isKnown: boolean): Counted[] {
  return [
    { key: `sign in ${account}`, rule: perAccount, lenient: isKnown },
    { key: `sign in from ${network}`, rule: perNetwork },
  ]
}

/** Who may sign in with the right password. A disabled user is answered as an unknown one is. */
export function requireAdmitted(user: User | undefined): User {
  if (!user || user.disabledAt) throw invalidCredentials()
  if (!user.verifiedAt)
    throw new Problem(
      'forbidden',
      'UserNotVerified',
      'Verify the e-mail address first, with the token from the mail; sign up again for a new mail.',
    )
  return user
}

/** Whom the sign-in itself speaks for, so that it leaves a record like any other request. */
export function callerOf({ userId, sessionId }: { userId: string; sessionId: string }): Caller {
  // No token came with it, so nothing outlives the request.
  return { kind: 'account', userId, sessionId, areas: [], expiresAt: 0 }
}

/** One answer for everything that can be wrong with credentials. */
export function invalidCredentials(): Problem {
  return new Problem('unauthenticated', 'InvalidCredentials', 'The user or the password is not right.', {
    // RFC 7617 section 2.1.
    headers: { 'www-authenticate': 'Basic realm="trestle", charset="UTF-8"' },
  })
}

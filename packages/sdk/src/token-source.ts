import { z } from 'zod'
import type { TokenSource } from './connection.js'
import { type SignInCredentials, signIn } from './sign-in.js'
import type { Trestle } from './trestle.js'

type Accounts = Pick<Trestle, 'accounts'>

const Lifetime = z.object({ iat: z.number(), exp: z.number() })
const MARGIN_MS = 60_000

/** Client access tokens for a client key pair; a new one is fetched a minute before the old one expires, or when it is refused. */
export function clientCredentials(
  { accounts }: Accounts,
  pair: { clientId: string; clientSecret: string },
  now: () => number = Date.now,
): TokenSource {
  let refreshToken: string | undefined
  const byPair = () => accounts.tokens.issue({ body: { grantType: 'clientCredentials', ...pair } })
  // A refresh token is valid for a year and spares the secret; if it was revoked, the key pair is used again.
  const byRefreshToken = (token: string) =>
    accounts.tokens.issue({ body: { grantType: 'refreshToken', refreshToken: token } }).catch((problem) => {
      if (problem.code !== 'InvalidRefreshToken') throw problem
      return byPair()
    })
  return renewing(async () => {
    const issued = await (refreshToken ? byRefreshToken(refreshToken) : byPair())
    refreshToken = issued.refreshToken ?? refreshToken
    return issued
  }, now)
}

/** Account access tokens for an e-mail address and a password: signs in on demand, a minute before a token expires, or when it is refused. */
export function accountSession(trestle: Accounts, credentials: SignInCredentials, now: () => number = Date.now): TokenSource {
  return renewing(() => signIn(trestle, credentials), now)
}

function renewing(issue: () => Promise<{ accessToken: string }>, now: () => number): TokenSource {
  let held: { token: Promise<string>; text?: string; freshUntil: number } | undefined

  // Concurrent callers share one request.
  async function fetchToken(): Promise<string> {
    const fetching: typeof held = { token: issue().then(({ accessToken }) => accessToken), freshUntil: Number.POSITIVE_INFINITY }
    held = fetching
    try {
      fetching.text = await fetching.token
      fetching.freshUntil = now() + lifetimeMs(fetching.text) - MARGIN_MS
      return fetching.text
    } catch (error) {
      held = undefined
      throw error
    }
  }

  return {
    current: async () => (held && now() < held.freshUntil ? held.token : fetchToken()),
    renew: async (refused) => (held && held.text !== refused ? held.token : fetchToken()),
  }
}

/** By the token's own two times, since this machine's clock may be wrong. */
function lifetimeMs(token: string): number {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const { iat, exp } = Lifetime.parse(JSON.parse(atob(payload)))
  return (exp - iat) * 1000
}

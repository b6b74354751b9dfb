import { z } from 'zod'
import type { TokenSource } from './call.js'
import type { Trestle } from './trestle.js'

const Lifetime = z.object({ iat: z.number(), exp: z.number() })
const MARGIN_MS = 60_000

/** Client access tokens for a client key pair; a new one is fetched a minute before the old one expires, or when it is refused. */
export function clientCredentials(
  { accounts }: Pick<Trestle, 'accounts'>,
  pair: { clientId: string; clientSecret: string },
  now: () => number = Date.now,
): TokenSource {
  let held: { token: Promise<string>; text?: string; freshUntil: number } | undefined

  // All who ask while a token is on its way share it.
  async function fetchToken(): Promise<string> {
    const issued = accounts.tokens.issue({ body: { grantType: 'clientCredentials', ...pair } })
    const fetching: typeof held = { token: issued.then(({ accessToken }) => accessToken), freshUntil: Number.POSITIVE_INFINITY }
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

/** By the token's own two times: this machine's clock may be wrong. */
function lifetimeMs(token: string): number {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const { iat, exp } = Lifetime.parse(JSON.parse(atob(payload)))
  return (exp - iat) * 1000
}

import { perAccount, perNetwork, type Throttle } from '../throttling/throttle.js'

/**
 * What limits attempts with codes that can be guessed. Whoever tries has the password or a token of the user: from a network on which
 * the user signs in, they do not delay the user elsewhere, nor the other way round.
 */
export function codeThrottles(userId: string, network: string, isKnown: boolean): Throttle[] {
  const everywhere: Throttle[] = [
    { key: `second factor ${userId}`, rule: perAccount, lenient: isKnown },
    { key: `second factor from ${network}`, rule: perNetwork, lenient: isKnown },
  ]
  return isKnown ? [...everywhere, { key: `second factor ${userId} from ${network}`, rule: perAccount }] : everywhere
}

/** Passkeys and recovery codes cannot be guessed: wrong ones cost work, and must not keep the user out. */
export function unguessableThrottles(network: string): Throttle[] {
  return [{ key: `second factor from ${network}`, rule: perNetwork }]
}

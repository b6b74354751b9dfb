import type { AccountsEnv } from '../env.js'

/** The `iss` of every token, and what the endpoints stand under: the address of this area as its users see it. */
export function issuerOf({ PUBLIC_URL }: Pick<AccountsEnv, 'PUBLIC_URL'>): string {
  return `${PUBLIC_URL}/accounts`
}

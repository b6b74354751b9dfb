import type { AccountsEnv } from '../env.js'

/** The `iss` of every token and the base URL of the endpoints: the public address of this area. */
export function issuerOf({ PUBLIC_URL }: Pick<AccountsEnv, 'PUBLIC_URL'>): string {
  return `${PUBLIC_URL}/accounts`
}

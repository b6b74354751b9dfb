import { Problem } from '@trestle/problem/problem'
import type { PasswordOwner } from './password-policy.js'

/** Those that the documentation of `npm start` shows, by the users who have them (packages/devnet). */
const DEMO_USERS: ReadonlyMap<string, string> = new Map([
  ['correcthorsebatterystaple', 'demo@trestle.local'],
  ['purplehorsebatterystaple', 'admin@trestle.local'],
])

/** Problem `WeakPassword` for a password that everybody knows from the documentation, unless a demo user outside production sets it. */
export function requireNoDemoPassword(
  password: string,
  { email }: Pick<PasswordOwner, 'email'>,
  { isProduction }: { isProduction: boolean },
): void {
  // However it is spelt: with dashes, capitals, or a digit at the end.
  const owner = DEMO_USERS.get(password.toLowerCase().replaceAll(/[^a-z]/g, ''))
  if (owner === undefined || (!isProduction && email.toLowerCase() === owner)) return
  throw new Problem('invalid', 'WeakPassword', 'This password is an example from the documentation; choose one that only you know.')
}

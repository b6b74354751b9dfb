import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { BillingAddress, EntityType, type UserProfile } from '@trestle/contracts/accounts/users'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { type Email, parseEmail } from './email.js'

/** No hash: nothing matches it. */
const NO_PASSWORD = ''

/** What users may change about themselves. */
export interface Profile {
  readonly displayName: string
  readonly entityType: UserProfile['entityType']
  readonly billingAddress: BillingAddress
}

export interface User extends Profile {
  readonly id: string
  readonly email: string
  readonly emailCanonical: string
  /** Empty of a user without a password. */
  readonly passwordHash: string
  readonly verifiedAt?: Date
  readonly disabledAt?: Date
  /** The revocation epoch: tokens that carry a lower one are no longer valid. */
  readonly epoch: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What an identity provider calls a user. */
const LinkedIdentity = z.object({
  issuer: z.string(),
  subject: z.string(),
  provider: z.string(),
  /** As the provider said last. */
  name: z.string().optional(),
  email: z.string().optional(),
})
export type LinkedIdentity = z.infer<typeof LinkedIdentity>

/** A user, and the identity that names them. */
export interface IdentifiedUser {
  readonly user: User
  readonly identityId: string
}

/** A user who signs up, perhaps with an identity provider. */
export interface SignUp {
  readonly user: User
  readonly identity?: LinkedIdentity
}

/** What somebody typed at a sign-up that is not verified yet. */
export const PendingRegistration = z.object({
  email: z.string(),
  displayName: z.string(),
  entityType: EntityType,
  billingAddress: BillingAddress,
  passwordHash: z.string(),
  /** Whom an identity provider named: linked once the address is verified, not before. */
  identity: LinkedIdentity.optional(),
})
export type PendingRegistration = z.infer<typeof PendingRegistration>

/** How a caller names a user: by id, or by e-mail address in any of its spellings. */
export type UserRef = { readonly id: string } | { readonly emailCanonical: string }

export function newUser(
  id: string,
  registration: Profile,
  { email, passwordHash }: { email: Email; passwordHash: string },
  now: Date,
): User {
  const { displayName, entityType, billingAddress } = registration
  return {
    id,
    displayName,
    entityType,
    billingAddress,
    email: email.address,
    emailCanonical: email.canonical,
    passwordHash,
    epoch: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/** Somebody without a password, whom an identity provider named. */
export function newUserOf(id: string, { email, displayName }: { email: Email; displayName: string }, now: Date): User {
  const billingAddress = { country: '', zipCode: '', address: '', state: '' }
  return newUser(id, { displayName, entityType: 'individual', billingAddress }, { email, passwordHash: NO_PASSWORD }, now)
}

/** What the user may sign in with; undefined of a user without a password. */
export function passwordHashOf({ passwordHash }: Pick<User, 'passwordHash'>): string | undefined {
  return passwordHash === NO_PASSWORD ? undefined : passwordHash
}

export function pendingRegistration({ user, identity }: SignUp): PendingRegistration {
  const { email, displayName, entityType, billingAddress, passwordHash } = user
  return { email, displayName, entityType, billingAddress, passwordHash, ...(identity && { identity: LinkedIdentity.parse(identity) }) }
}

/** Parses an id or an e-mail address; undefined if it is neither. */
export function parseUserRef(text: string): UserRef | undefined {
  if (/^user-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return { id: text }
  const email = parseEmail(text)
  return email && { emailCanonical: email.canonical }
}

export function isNamedBy({ id, emailCanonical }: Pick<User, 'id' | 'emailCanonical'>, ref: UserRef): boolean {
  return 'id' in ref ? ref.id === id : ref.emailCanonical === emailCanonical
}

export function describeManagedUser({ id, email, displayName, entityType, createdAt, verifiedAt, disabledAt }: User): ManagedUser {
  return {
    id,
    email,
    displayName,
    entityType,
    createdAt: createdAt.toISOString(),
    verifiedAt: verifiedAt?.toISOString(),
    disabledAt: disabledAt?.toISOString(),
  }
}

export function unknownUser(): Problem {
  return new Problem('unknown', 'UnknownUser', 'There is no user with this id.')
}

export function noPassword(): Problem {
  return new Problem(
    'conflict',
    'NoPassword',
    'You have no password to change: you sign in with your identity provider. To set one, ask for a mail, as for a forgotten one.',
  )
}

export function wrongPassword(): Problem {
  return new Problem('forbidden', 'WrongPassword', 'The current password is wrong.')
}

/** Problem `WeakPassword`: the new password must not be the old one. */
export function requireDifferent(oldPassword: string, newPassword: string): void {
  if (newPassword === oldPassword) throw new Problem('invalid', 'WeakPassword', 'The new password is the same as the old one.')
}

import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'
import { ProofOfWork } from './proof-of-work.js'

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')

export const UserId = idOf('user')
/** A user's id or e-mail address, where a path takes either. */
export const UserIdOrEmail = z.string().min(1).max(320)

export const EntityType = z.enum(['individual', 'company'])
const DisplayName = text(200).trim().min(1)
/** Bounds only: the accounts service judges strength, which depends on the user. */
export const Password = text(1024).min(1)
/** Bounds only: the accounts service parses addresses. */
export const EmailInput = text(254).trim().min(3)

export const BillingAddress = z
  .object({ country: text(100), zipCode: text(40), address: text(400), state: text(100) })
  .meta({ id: 'BillingAddress' })
export type BillingAddress = z.infer<typeof BillingAddress>

/** Interface 2.1. */
export const UserProfile = z
  .object({
    id: UserId,
    email: z.string(),
    displayName: z.string(),
    entityType: EntityType,
    verifiedAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    billingAddress: BillingAddress,
  })
  .meta({ id: 'UserProfile' })
export type UserProfile = z.infer<typeof UserProfile>

export const Registration = z
  .object({
    email: EmailInput,
    displayName: DisplayName,
    password: Password,
    entityType: EntityType.default('individual'),
    billingAddress: BillingAddress,
    /** The invitation token, required if registration is by invitation only. */
    invitation: z.string().max(100).optional(),
    /** The solution of the challenge in problem `ProofOfWorkRequired`, where the platform asks for one. */
    proofOfWork: ProofOfWork.optional(),
  })
  .meta({ id: 'Registration' })
export type Registration = z.infer<typeof Registration>

const MailSent = z.object({ email: z.string(), status: z.literal('verificationSent') }).meta({ id: 'VerificationSent' })
const ResetSent = z.object({ email: z.string(), status: z.literal('resetSent') }).meta({ id: 'ResetSent' })

export const users = {
  register: endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Sign up. The response is the same if the address already has an account; only the mail differs.',
    access: 'public',
    audit: 'sign-up',
    body: Registration,
    status: 201,
    reply: MailSent,
    problems: ['InvalidEmail', 'WeakPassword', 'RegistrationClosed', 'InvalidInvitation', 'TooManyRequests', 'ProofOfWorkRequired'],
  }),
  verify: endpoint({
    method: 'PUT',
    path: '/users/{userId}/token/{token}',
    summary: 'Verify the e-mail address with the token from the mail. `userId` may be the id or the e-mail address.',
    access: 'public',
    audit: 'email-verified',
    params: z.object({ userId: UserIdOrEmail, token: z.string().max(100) }),
    status: 200,
    reply: z.object({ id: UserId, email: z.string(), verifiedAt: Timestamp, code: z.literal('UserVerified') }).meta({ id: 'UserVerified' }),
    problems: ['InvalidToken', 'UserVerified'],
  }),
  me: endpoint({
    method: 'GET',
    path: '/users/me',
    summary: 'Your profile.',
    access: 'account',
    status: 200,
    reply: UserProfile,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/users/me',
    summary: 'Update your profile. Omitted members are left unchanged.',
    access: 'account',
    body: z
      .object({ displayName: DisplayName, entityType: EntityType, billingAddress: BillingAddress })
      .partial()
      .meta({ id: 'ProfileChange' }),
    status: 200,
    reply: UserProfile,
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/users/me/password',
    summary: 'Change your password. Revokes all your other account tokens and returns a new one.',
    access: 'account',
    audit: 'password-changed',
    body: z.object({ oldPassword: Password, newPassword: Password }).meta({ id: 'PasswordChange' }),
    status: 200,
    reply: z.object({ updatedAt: Timestamp, accessToken: z.string() }).meta({ id: 'PasswordChanged' }),
    problems: ['WrongPassword', 'NoPassword', 'WeakPassword', 'TooManyAttempts'],
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/users/password-resets',
    summary: 'Request a password reset mail. The response is the same for an unknown address.',
    access: 'public',
    audit: 'password-reset-requested',
    body: z.object({ email: EmailInput }).meta({ id: 'ResetRequest' }),
    status: 202,
    reply: ResetSent,
    problems: ['InvalidEmail', 'TooManyAttempts', 'TooManyRequests'],
  }),
  resetPassword: endpoint({
    method: 'PUT',
    path: '/users/{id}/password-resets/{token}',
    summary: 'Set a new password with the token from the mail. Ends all your sessions and, unless told otherwise, all your client keys.',
    access: 'public',
    audit: 'password-reset',
    params: z.object({ id: UserIdOrEmail, token: z.string().max(100) }),
    body: z.object({ newPassword: Password, endClientKeys: z.boolean().optional() }).meta({ id: 'PasswordReset' }),
    status: 200,
    reply: z.object({ id: UserId, updatedAt: Timestamp }).meta({ id: 'PasswordWasReset' }),
    problems: ['InvalidToken', 'WeakPassword'],
  }),
}

import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')

export const UserId = idOf('user')
/** A user's id or e-mail address, where a path takes either. */
const UserRef = z.string().min(1).max(320)

export const EntityType = z.enum(['individual', 'company'])
const DisplayName = text(200).trim().min(1)
/** Only bounds: what a good password is depends on its owner and is decided by the accounts service. */
const Password = text(1024).min(1)
/** Only bounds: the accounts service parses addresses. */
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
    /** Where registration is by invitation only: the token of the invitation. */
    invitation: z.string().max(100).optional(),
  })
  .meta({ id: 'Registration' })
export type Registration = z.infer<typeof Registration>

const MailSent = z.object({ email: z.string(), status: z.literal('verificationSent') }).meta({ id: 'VerificationSent' })
const ResetSent = z.object({ email: z.string(), status: z.literal('resetSent') }).meta({ id: 'ResetSent' })

export const users = {
  register: endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Sign up. The answer is the same for an address that has an account already; the mail differs.',
    access: 'public',
    body: Registration,
    status: 201,
    reply: MailSent,
    problems: ['InvalidEmail', 'WeakPassword', 'RegistrationClosed', 'InvalidInvitation'],
  }),
  verify: endpoint({
    method: 'PUT',
    path: '/users/{userId}/token/{token}',
    summary: 'Verify the e-mail address with the token from the mail. `userId` may be the id or the e-mail address.',
    access: 'public',
    params: z.object({ userId: UserRef, token: z.string().max(100) }),
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
    summary: 'Change your profile; what is left out stays.',
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
    summary: 'Change your password. Every other account token of yours ends; the answer carries a new one.',
    access: 'account',
    body: z.object({ oldPassword: Password, newPassword: Password }).meta({ id: 'PasswordChange' }),
    status: 200,
    reply: z.object({ updatedAt: Timestamp, accessToken: z.string() }).meta({ id: 'PasswordChanged' }),
    problems: ['WrongPassword', 'WeakPassword', 'TooManyAttempts'],
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/users/password-resets',
    summary: 'Ask for a mail that lets you set a new password. The answer is the same for an unknown address.',
    access: 'public',
    body: z.object({ email: EmailInput }).meta({ id: 'ResetRequest' }),
    status: 202,
    reply: ResetSent,
    problems: ['InvalidEmail', 'TooManyAttempts'],
  }),
  resetPassword: endpoint({
    method: 'PUT',
    path: '/users/{id}/password-resets/{token}',
    summary: 'Set a new password with the token from the mail. Every account token of yours ends.',
    access: 'public',
    params: z.object({ id: UserRef, token: z.string().max(100) }),
    body: z.object({ newPassword: Password }).meta({ id: 'PasswordReset' }),
    status: 200,
    reply: z.object({ id: UserId, updatedAt: Timestamp }).meta({ id: 'PasswordWasReset' }),
    problems: ['InvalidToken', 'WeakPassword'],
  }),
}

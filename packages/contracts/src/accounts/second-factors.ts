import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'
import { AccountToken } from './sessions.js'

const FactorId = idOf('factor')
const Name = z.string().trim().min(1).max(100)
/** Bounds only: the accounts service judges codes. */
const Code = z.string().min(1).max(64)
const ChallengeText = z.string().min(1).max(100)

const Described = { id: FactorId, name: z.string(), createdAt: Timestamp, usedAt: Timestamp.optional() }

export const SecondFactor = z.object({ ...Described, kind: z.enum(['totp', 'passkey']) }).meta({ id: 'SecondFactor' })
export type SecondFactor = z.infer<typeof SecondFactor>

const SecondFactors = z
  .object({
    factors: z.array(SecondFactor),
    recoveryCodes: z.int().meta({ description: 'How many are left.' }),
    hasPassword: z.boolean().meta({
      description:
        'Whether your password proves that you are the owner. Otherwise a second factor does, or a sign-in with your identity provider within ten minutes.',
    }),
  })
  .meta({ id: 'SecondFactors' })
export type SecondFactors = z.infer<typeof SecondFactors>

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/, 'must be base64url without padding, such as "aGVsbG8"')

// Loose: browsers add members (WebAuthn, section 5.1.8). What is in these texts is judged by the library that verifies them.
const Credential = { id: Base64Url.max(1400), rawId: Base64Url.max(1400), type: z.literal('public-key') }

/** What `PublicKeyCredential.toJSON()` makes of an answer by a passkey. */
export const PasskeyAssertion = z
  .looseObject({
    ...Credential,
    response: z.looseObject({
      clientDataJSON: Base64Url.max(4096),
      authenticatorData: Base64Url.max(4096),
      signature: Base64Url.max(4096),
      userHandle: Base64Url.max(100).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAssertion' })
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** What `PublicKeyCredential.toJSON()` makes of a new passkey. */
export const NewPasskey = z
  .looseObject({
    ...Credential,
    response: z.looseObject({
      clientDataJSON: Base64Url.max(4096),
      attestationObject: Base64Url.max(8192),
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  })
  .meta({ id: 'NewPasskey' })
export type NewPasskey = z.infer<typeof NewPasskey>

const PublicKeyOptions = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PublicKeyOptions', description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.' })

export const FactorMethod = z.enum(['totp', 'passkey', 'recovery-code'])
export type FactorMethod = z.infer<typeof FactorMethod>

/** It has to be answered with one of the methods, once and before it expires. */
export const FactorChallenge = z
  .object({ challenge: z.string(), expiresAt: Timestamp, methods: z.array(FactorMethod), passkey: PublicKeyOptions.optional() })
  .meta({ id: 'FactorChallenge' })
export type FactorChallenge = z.infer<typeof FactorChallenge>

const EXAMPLE_ANSWER = {
  challenge: 'c29tZSBjaGFsbGVuZ2U',
  passkey: {
    id: 'AQIDBA',
    rawId: 'AQIDBA',
    type: 'public-key',
    response: { clientDataJSON: 'e30', authenticatorData: 'AQID', signature: 'AQID' },
  },
}

export const FactorAnswer = z
  .object({
    challenge: ChallengeText,
    code: Code.optional().meta({ description: 'Of the authenticator app, or a recovery code.' }),
    passkey: PasskeyAssertion.optional(),
  })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), 'must have either `code` or `passkey`')
  .meta({ id: 'FactorAnswer', examples: [EXAMPLE_ANSWER] })
export type FactorAnswer = z.infer<typeof FactorAnswer>

export const replacedToken = {
  accessToken: z
    .string()
    .optional()
    .meta({ description: 'Replaces your token where it had to end with all others. The console keeps it from the page.' }),
}

const FactorAdded = z
  .object({
    factor: SecondFactor,
    recoveryCodes: z.array(z.string()).optional().meta({ description: 'With the first factor, and never again.' }),
    ...replacedToken,
  })
  .meta({ id: 'FactorAdded' })
export type FactorAdded = z.infer<typeof FactorAdded>

/** A stolen token alone must not add the first factor: it would keep out the owner. */
const Owner = z
  .object({
    password: z.string().min(1).max(1024).optional().meta({
      description: 'Required for the first factor of a user who has a password. Others must have just signed in: problem `StepUpRequired`.',
    }),
  })
  .meta({ id: 'FactorEnrolment' })

const enrolment = {
  method: 'POST',
  access: 'account',
  creates: true,
  stepUp: true,
  body: Owner.optional(),
  status: 200,
} as const
const ENROLMENT_PROBLEMS = ['WrongPassword', 'LimitExceeded', 'TooManyAttempts'] as const

export const secondFactors = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/second-factors',
    summary: 'Your second factors, and how many recovery codes are left.',
    access: 'account',
    status: 200,
    reply: SecondFactors,
  }),
  enrolTotp: endpoint({
    ...enrolment,
    path: '/users/me/second-factors/totp',
    summary: 'Begin to add an authenticator app (RFC 6238). It counts once a code of it has confirmed it.',
    reply: z.object({ secret: z.string(), uri: z.string() }).meta({ id: 'TotpEnrolment' }),
    problems: ENROLMENT_PROBLEMS,
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/users/me/second-factors/totp/confirm',
    summary:
      'Add the authenticator app with a code of it; it replaces an earlier one. The first factor of an account ends all other sessions, and brings ten recovery codes.',
    access: 'account',
    audit: 'second-factor-added',
    stepUp: true,
    body: z.object({ code: Code }).meta({ id: 'TotpConfirmation' }),
    status: 200,
    reply: FactorAdded,
    problems: ['InvalidSecondFactor', 'UnknownSecondFactor', 'TooManyAttempts'],
  }),
  enrolPasskey: endpoint({
    ...enrolment,
    path: '/users/me/second-factors/passkeys',
    summary: 'Begin to add a passkey (WebAuthn).',
    reply: z.object({ challenge: z.string(), expiresAt: Timestamp, options: PublicKeyOptions }).meta({ id: 'PasskeyEnrolment' }),
    problems: ENROLMENT_PROBLEMS,
  }),
  confirmPasskey: endpoint({
    method: 'POST',
    path: '/users/me/second-factors/passkeys/confirm',
    summary:
      'Add the passkey that the browser has made. The first factor of an account ends all other sessions, and brings ten recovery codes.',
    access: 'account',
    audit: 'second-factor-added',
    stepUp: true,
    body: z.object({ challenge: ChallengeText, name: Name, passkey: NewPasskey }).meta({ id: 'PasskeyConfirmation' }),
    status: 200,
    reply: FactorAdded,
    problems: ['InvalidChallenge', 'InvalidSecondFactor', 'LimitExceeded'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/users/me/second-factors/{id}',
    summary: 'Rename a second factor.',
    access: 'account',
    params: z.object({ id: z.string().max(100) }),
    body: z.object({ name: Name }).meta({ id: 'FactorName' }),
    status: 200,
    reply: SecondFactor,
    problems: ['UnknownSecondFactor'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/me/second-factors/{id}',
    summary: 'Remove a second factor. With the last one the recovery codes and all other sessions end.',
    access: 'account',
    audit: 'second-factor-removed',
    stepUp: true,
    params: z.object({ id: z.string().max(100) }),
    status: 200,
    reply: z.object(replacedToken).meta({ id: 'FactorRemoved' }),
    problems: ['UnknownSecondFactor'],
  }),
  replaceRecoveryCodes: endpoint({
    method: 'POST',
    path: '/users/me/second-factors/recovery-codes',
    summary: 'Replace your recovery codes with ten new ones, which are shown only once.',
    access: 'account',
    audit: 'recovery-codes-replaced',
    creates: true,
    stepUp: true,
    status: 200,
    reply: z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' }),
    problems: ['UnknownSecondFactor'],
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/auth/step-up',
    summary: 'Begin to prove a second factor again, as `StepUpRequired` asks (RFC 9470).',
    access: 'account',
    status: 200,
    reply: FactorChallenge,
    problems: ['UnknownSecondFactor'],
  }),
  signInWithPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkey',
    summary:
      'Begin to sign in with a passkey alone. It names the user, and proves two factors: itself, and the PIN or fingerprint that unlocks it.',
    access: 'public',
    status: 200,
    reply: FactorChallenge,
    recording: 'none',
    problems: ['TooManyRequests'],
  }),
  answer: endpoint({
    method: 'POST',
    path: '/auth/second-factor',
    summary:
      'Answer a challenge of `POST /auth` (problem `SecondFactorRequired`), `POST /auth/passkey` or `POST /auth/step-up`. Returns an account access token: of a new session, or after a step-up a newer one of the same.',
    access: 'public',
    audit: 'sign-in',
    body: FactorAnswer,
    status: 200,
    reply: AccountToken,
    problems: ['InvalidChallenge', 'InvalidSecondFactor', 'IdentityUnlinked', 'TooManyAttempts'],
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/users/{id}/second-factors',
    summary: 'Remove all second factors of a user who has lost them and the recovery codes. Ends all their sessions.',
    access: 'manager',
    audit: 'second-factor-removed',
    stepUp: true,
    params: z.object({ id: z.string().max(100) }),
    status: 204,
    problems: ['UnknownSecondFactor'],
  }),
}

import { readFileSync } from 'node:fs'
import { messageOf } from '@trestle/problem/thrown'
import { readChains } from '@trestle/runtime/chains-env'
import { list, parseEnv, secret, secretSealingKeys, serviceEnv, trustRootKey } from '@trestle/runtime/env'
import { RootKey } from '@trestle/runtime/root-key'
import { z } from 'zod'
import { parseProviders } from './identity-providers/provider-settings.js'

const settings = z.object({
  ...serviceEnv,
  /** Encrypts private signing keys and queued mails. */
  KEY_ENCRYPTION_KEY: secretSealingKeys(Buffer.alloc(32, 1).toString('base64')),
  /** Part of every password hash: a stolen database alone is useless for guessing. */
  PASSWORD_PEPPER: secret('development-pepper'),
  /** Keys the hashes under which failed attempts are counted. */
  THROTTLE_SECRET: secret('development-throttle'),
  /** Signs what the other services are told about keys, revocations and memberships. */
  TRUST_ROOT_KEY: trustRootKey,
  /** A refresh token that nobody uses for so long is invalid. */
  SESSION_IDLE_DAYS: z.coerce.number().int().min(1).max(365).default(90),
  /** A session that nobody uses for so long ends. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(15).max(720).default(120),
  /** How long the security log is kept. */
  SECURITY_LOG_DAYS: z.coerce.number().int().min(7).max(3650).default(365),
  /** On how many NATS servers each stream is stored. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** A `providers.yaml`: where companies sign in (docs/accounts.md). */
  IDENTITY_PROVIDERS_FILE: z.string().optional(),
  REGISTRATION: z.enum(['open', 'invite', 'closed']).default('open'),
  /** Whether whoever signs up has to compute for a moment; only while registration is open. */
  REGISTRATION_PROOF_OF_WORK: z.enum(['off', 'on']).default('off'),
  /** E-mail addresses of the users who may call the administration endpoints. */
  ADMINISTRATORS: list,
  /** Whether administration takes a second factor: by default in production. */
  ADMINISTRATORS_NEED_FACTOR: z.enum(['true', 'false']).optional(),
  /** Multiplies the budgets of senders (docs/accounts.md): 1 in production; 7 elsewhere, where everybody may be one network. */
  BUDGET_FACTOR: z.coerce.number().positive().max(1000).optional(),
  /** How long after the request an account is deleted. */
  ACCOUNT_DELETION_HOURS: z.coerce.number().int().min(24).max(720).default(72),
  /** Deployments that this installation does not run: they are not asked what somebody has. */
  ABSENT_DEPLOYMENTS: list,
  /** Where stolen passwords are looked up, in the form of Have I Been Pwned's range API; nowhere by default. */
  PASSWORD_RANGE_URL: z.url({ protocol: /^https?$/ }).optional(),
  MAIL_TRANSPORT: z.enum(['mailbox', 'smtp']).default('smtp'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).default('smtp://127.0.0.1:25'),
  MAIL_FROM: z.email().default('no-reply@trestle.local'),
})

const accountsEnv = settings
  .refine(({ TRUST_ROOT_KEY, TRUST_ROOTS }) => TRUST_ROOTS.includes(new RootKey(TRUST_ROOT_KEY).root), {
    path: ['TRUST_ROOTS'],
    message: 'must contain the public half of TRUST_ROOT_KEY, in base64',
  })
  .refine(({ NODE_ENV, MAIL_TRANSPORT }) => NODE_ENV !== 'production' || MAIL_TRANSPORT !== 'mailbox', {
    path: ['MAIL_TRANSPORT'],
    message: 'must be smtp in production: anybody can read the mailbox, and thus take over every account',
  })

export type AccountsEnv = ReturnType<typeof readEnv>

export function readEnv(source?: NodeJS.ProcessEnv) {
  const env = parseEnv(accountsEnv, source)
  return {
    ...env,
    ADMINISTRATORS_NEED_FACTOR: env.ADMINISTRATORS_NEED_FACTOR ? env.ADMINISTRATORS_NEED_FACTOR === 'true' : env.NODE_ENV === 'production',
    BUDGET_FACTOR: env.BUDGET_FACTOR ?? (env.NODE_ENV === 'production' ? 1 : 7),
    /** Whose deployments get their streams from accounts. */
    chains: readChains(source),
    identityProviders: readIdentityProviders(env),
  }
}

function readIdentityProviders({ IDENTITY_PROVIDERS_FILE: file, NODE_ENV }: z.output<typeof settings>) {
  const read = (path: string) => readFileSync(path, 'utf8').trim()
  try {
    return parseProviders(file ? read(file) : '', { readSecret: read, isProduction: NODE_ENV === 'production' })
  } catch (error) {
    throw new Error(`The environment is not valid:\n  IDENTITY_PROVIDERS_FILE: ${messageOf(error)}`)
  }
}

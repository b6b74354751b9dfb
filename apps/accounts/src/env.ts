import { parseEnv, secret, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

export const accountsEnv = z.object({
  ...serviceEnv,
  /** Seals private signing keys and queued mails: 32 bytes in base64. */
  KEY_ENCRYPTION_KEY: secret(Buffer.alloc(32, 1).toString('base64')).refine((value) => Buffer.from(value, 'base64').length === 32, {
    message: 'must be 32 bytes in base64 (openssl rand -base64 32)',
  }),
  /** Goes into every password hash: a stolen database alone cannot be tried offline. */
  PASSWORD_PEPPER: secret('development-pepper'),
  /** Keys the hashes under which failed attempts are counted. */
  THROTTLE_SECRET: secret('development-throttle'),
  REGISTRATION: z.enum(['open', 'invite', 'closed']).default('open'),
  /** E-mail addresses whose account tokens also open the administration. */
  ADMINISTRATORS: list,
  MAIL_TRANSPORT: z.enum(['mailbox', 'smtp']).default('smtp'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).default('smtp://127.0.0.1:25'),
  MAIL_FROM: z.email().default('no-reply@trestle.local'),
})

export type AccountsEnv = z.infer<typeof accountsEnv>

export function readEnv(source?: NodeJS.ProcessEnv): AccountsEnv {
  return parseEnv(accountsEnv, source)
}

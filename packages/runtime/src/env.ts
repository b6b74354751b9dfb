import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { codeOf } from '@trestle/problem/thrown'
import { z } from 'zod'
import { ROOT_KEY_BYTES, RootKey } from './root-key.js'

const outsideProductionDefaults = new WeakMap<z.core.$ZodType, string>()

/** A value that is required in production and has a default elsewhere. */
export function secret(devDefault: string) {
  return outsideProduction(z.string().min(8), devDefault)
}

/** Comma-separated values; none by default. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** Keys that seal what is stored: 32 bytes in base64 each, the newest first. */
export const sealingKeys = list
  .refine((keys) => keys.length > 0, 'is required')
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), 'must be 32 bytes in base64 each (openssl rand -base64 32)')

/** The same, with a default outside production. */
export function secretSealingKeys(devDefault: string) {
  return outsideProduction(sealingKeys.clone(), devDefault)
}

const DEVELOPMENT_ROOT_KEY = Buffer.alloc(ROOT_KEY_BYTES, 2).toString('base64')

/** Accounts signs with it what it says about rights: 32 bytes in base64. */
export const trustRootKey = outsideProduction(
  z.string().refine(isRootKey, { message: 'must be 32 bytes in base64', abort: true }),
  DEVELOPMENT_ROOT_KEY,
)

/** The settings of every service; an app's `env.ts` spreads them into its own schema. */
export const serviceEnv = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  HOST: z.string().default('0.0.0.0'),
  PORT: port(),
  INTERNAL_PORT: port(),
  /** With a certificate and its key, as PEM, the API is served over HTTPS. They are read again when they change. */
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  /** Only clients with a certificate of this authority may connect to the API. */
  TLS_CLIENT_CA_FILE: z.string().optional(),
  /** The path of the service at the ingress; empty if it has no base path of its own. */
  BASE_PATH: z
    .string()
    .regex(/^(\/[a-z0-9-]+)*$/, 'must be like /accounts')
    .default(''),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** How long a stopping service keeps serving, so that every load balancer has noticed. */
  STOP_DELAY_MS: outsideProduction(z.coerce.number().int().min(0).max(60_000).default(5000), '0'),
  /** Peers whose X-Forwarded-For is trusted: in production none, unless they are named. */
  TRUSTED_PROXIES: outsideProduction(
    z
      .string()
      .default('')
      .transform((text) => (text === '' ? [] : text.split(',').map((range) => range.trim())))
      .refine((ranges) => ranges.every(isRange), 'must be comma-separated addresses or CIDR ranges'),
    'loopback',
  ),
  /** Multiplies what one user may ask of one process of accounts, nodes, staking and eth-rpc. */
  API_BUDGET_FACTOR: outsideProduction(z.coerce.number().positive().max(1_000_000).default(1), '100'),
  /** The ingress as users see it, without a trailing slash. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The servers of one NATS cluster, separated by commas; `tls://` refuses a server without TLS. */
  NATS_URL: z.string().min(1),
  /** As whom the service connects to NATS. */
  NATS_NKEY_SEED: z
    .string()
    .regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of an nkey of a user: SU…')
    .optional(),
  /** The authority that has signed the certificate of NATS, unless it is a public one. */
  NATS_CA_FILE: z.string().optional(),
  /** The service's own certificate and its key, for a NATS that asks for one. */
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
  /** The public halves of the root key of accounts: only what it signed is believed about keys, revocations and memberships. */
  TRUST_ROOTS: outsideProduction(
    list
      .refine((roots) => roots.length > 0 && roots.every(isRootKey), 'must be 32 bytes in base64 each')
      .transform((roots) => roots.map((root) => Buffer.from(root, 'base64').toString('base64'))),
    new RootKey(DEVELOPMENT_ROOT_KEY).root,
  ),
}

const ServiceEnv = z.object(serviceEnv)
export type ServiceEnv = z.output<typeof ServiceEnv>

/**
 * Reads the environment once, at the start: throws one error that names every invalid variable, never a value.
 * `NAME_FILE` names a file that contains the value of `NAME`, as mounted secrets do.
 */
export function parseEnv<S extends z.ZodObject>(schema: S, source: NodeJS.ProcessEnv = process.env): z.output<S> {
  const values: Record<string, string | undefined> = {}
  const unread = new Map<string, string>()
  for (const [name, field] of Object.entries(schema.shape)) {
    // A compose file passes a variable that is not set as an empty one.
    const path = source[`${name}_FILE`]
    // An app's own variable may end in _FILE.
    const content = path && !(`${name}_FILE` in schema.shape) ? contentOf(name, path, source, unread) : source[name]
    values[name] = content || fallback(field, source)
  }
  const parsed = schema.safeParse(values)
  if (parsed.success && unread.size === 0) return parsed.data
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !unread.has(String(path[0])))
  const invalid = issues.map(({ path, message }) => `  ${path.join('.')}: ${values[String(path[0])] ? message : 'is required'}`)
  throw new Error(`The environment is not valid:\n${[...new Set([...unread.values(), ...invalid])].join('\n')}`)
}

/** The content of a variable's file; why it cannot be used goes into `unread`. */
function contentOf(name: string, path: string, source: NodeJS.ProcessEnv, unread: Map<string, string>): string | undefined {
  if (source[name]) {
    unread.set(name, `  ${name}: is set twice, by ${name} and by ${name}_FILE`)
    return undefined
  }
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content === '') unread.set(name, `  ${name}_FILE: the file is empty`)
    return content
  } catch (error) {
    unread.set(name, `  ${name}_FILE: the file cannot be read (${codeOf(error)})`)
    return undefined
  }
}

function outsideProduction<T extends z.ZodType>(schema: T, value: string): T {
  outsideProductionDefaults.set(schema, value)
  return schema
}

function fallback(field: z.core.$ZodType, source: NodeJS.ProcessEnv): string | undefined {
  const production = (source.NODE_ENV || 'production') === 'production'
  return production ? undefined : outsideProductionDefaults.get(field)
}

function port() {
  return z.coerce.number().int().min(0).max(65_535)
}

function isRootKey(text: string): boolean {
  return Buffer.from(text, 'base64').length === ROOT_KEY_BYTES
}

function isRange(range: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(range)) return true
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

import { isIP } from 'node:net'
import { z } from 'zod'

const outsideProductionDefaults = new WeakMap<z.ZodType, string>()

/** A value that production must be given and that everywhere else may be left out. */
export function secret(devDefault: string) {
  return outsideProduction(z.string().min(8), devDefault)
}

/** Values with commas between; none by default. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** For a `Sealer`: 32 bytes in base64 each, the newest first. */
export const sealingKeys = list
  .refine((keys) => keys.length > 0, 'is required')
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), 'must be 32 bytes in base64 each')

/** What every service is configured by; an app's `env.ts` spreads it into its own schema. */
export const serviceEnv = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  HOST: z.string().default('0.0.0.0'),
  PORT: port(),
  INTERNAL_PORT: port(),
  /** Where the service stands behind the ingress; empty when it has no base path of its own. */
  BASE_PATH: z
    .string()
    .regex(/^(\/[a-z0-9-]+)*$/, 'must be like /accounts')
    .default(''),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** How long a stopping service goes on answering, so that every load balancer has noticed. */
  STOP_DELAY_MS: outsideProduction(z.coerce.number().int().min(0).max(60_000).default(5000), '0'),
  /** Peers whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z
    .string()
    .default('loopback,linklocal,uniquelocal')
    .transform((list) => list.split(',').map((range) => range.trim()))
    .refine((ranges) => ranges.every(isRange), 'must be addresses or CIDR ranges, with commas between'),
  /** The ingress as users see it, without a slash at the end. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  NATS_URL: z.string().min(1),
}

const ServiceEnv = z.object(serviceEnv)
export type ServiceEnv = z.output<typeof ServiceEnv>

/** Reads the environment once, at the start: throws one error that names every wrong variable, never a value. */
export function parseEnv<S extends z.ZodObject>(schema: S, source: NodeJS.ProcessEnv = process.env): z.output<S> {
  const given: Record<string, string | undefined> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    // An empty value is what a compose file leaves for a variable that nobody set.
    given[name] = source[name] || fallback(field as z.ZodType, source)
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${given[String(path[0])] ? message : 'is required'}`)
  throw new Error(`The environment is not complete:\n${[...new Set(wrong)].join('\n')}`)
}

function outsideProduction<T extends z.ZodType>(schema: T, value: string): T {
  outsideProductionDefaults.set(schema, value)
  return schema
}

function fallback(field: z.ZodType, source: NodeJS.ProcessEnv): string | undefined {
  const production = (source.NODE_ENV || 'production') === 'production'
  return production ? undefined : outsideProductionDefaults.get(field)
}

function port() {
  return z.coerce.number().int().min(0).max(65_535)
}

function isRange(range: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(range)) return true
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

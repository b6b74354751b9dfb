import { z } from 'zod'

const METHOD_PATTERN = /^[a-z0-9]+_(\*|[A-Za-z0-9]+\*?)$/
/** What a request has by itself. */
const OWN_HEADERS = new Set(['host', 'content-length', 'content-type', 'accept-encoding', 'transfer-encoding', 'connection', 'upgrade'])

const text = z.string().min(1)
const patterns = z.array(z.string().regex(METHOD_PATTERN)).min(1).max(200)
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/)
  .refine((name) => !OWN_HEADERS.has(name.toLowerCase()) && !name.toLowerCase().startsWith('sec-websocket'))

/** Units a month. */
export const UnitsPerMonth = z.int().min(1).max(1_000_000_000_000)
export const BudgetReference = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/)

/** An upstream as the file has it, before references are resolved. */
export const UpstreamEntry = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/),
  url: text,
  webSocketUrl: text.optional(),
  archive: z.boolean().default(false),
  priority: z.int().min(0).max(100).optional(),
  weight: z.int().min(1).max(1000).optional(),
  cost: z.number().min(0.01).max(1000).optional(),
  budget: z.union([UnitsPerMonth, BudgetReference]).optional(),
  headers: z.record(headerName, text).optional(),
  bearer: text.optional(),
  basic: z.strictObject({ user: text, password: text }).optional(),
  tls: z.strictObject({ certFile: text.optional(), keyFile: text.optional(), caFile: text.optional() }).optional(),
  proxy: text.optional(),
  compression: z.boolean().optional(),
  rateLimit: z.number().min(0.1).max(1_000_000).optional(),
  firstBlock: z.int().min(0).optional(),
  methods: z.strictObject({ allowed: patterns.optional(), refused: patterns.optional() }).optional(),
  cordon: z.boolean().optional(),
  shadow: z.number().min(0.0001).max(1).optional(),
})
export type UpstreamEntry = z.output<typeof UpstreamEntry>

/** What would be right, by member. */
export const RIGHT_MEMBERS = {
  name: 'a name of lower-case letters, digits, - and _, up to 32',
  url: 'an http:// or https:// address, a provider with a key (alchemy://KEY), or a reference to one (env:NAME, file:/path)',
  webSocketUrl: 'a ws:// or wss:// address, or a reference to one (env:NAME, file:/path)',
  archive: 'true or false',
  priority: 'a whole number from 0 to 100',
  weight: 'a whole number from 1 to 1000',
  cost: 'a number from 0.01 to 1000',
  budget: 'a whole number of units a month, from 1 to 1000000000000, or the name of one of budgets',
  headers: 'names with their values, without those that every request has (Content-Type and the like)',
  bearer: 'a token, or a reference to one (env:NAME, file:/path)',
  basic: 'a user and a password, or references to them (env:NAME, file:/path)',
  tls: 'certFile, keyFile and caFile, each the path of a file',
  proxy: 'the http:// or https:// address of a proxy, a reference to one (env:NAME, file:/path), or none',
  compression: 'true or false',
  rateLimit: 'the calls a second, from 0.1 to 1000000',
  firstBlock: 'the number of the first block that it has',
  methods: 'allowed and refused, each a list of methods such as eth_call or debug_*',
  cordon: 'true or false',
  shadow: 'a share of the calls, above 0 and up to 1',
} as const satisfies Readonly<Record<keyof UpstreamEntry, string>>

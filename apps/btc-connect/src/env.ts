import { readFileSync } from 'node:fs'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { BITCOIN_NETWORKS } from '@trestle/contracts/chains/chain'
import { BITCOIN_CHAIN_NAMES } from '@trestle/contracts/chains/chains'
import { messageOf } from '@trestle/problem/thrown'
import { list, parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'
import { entryProblem, trackedScripts, trackFileEntries } from './track.js'

/** The chain and its database: all that the `status` command needs. */
const index = {
  CHAIN: z.enum(BITCOIN_CHAIN_NAMES),
  NETWORK: z.enum(BITCOIN_NETWORKS).default('mainnet'),
  /** The name of this deployment and of its Postgres schema; by default the chain's. */
  DEPLOYMENT: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a short name like btc or btctestnet')
    .optional(),
  DATABASE_URL: serviceEnv.DATABASE_URL,
}

const settings = z.object({
  ...serviceEnv,
  ...index,
  /** Where revocations are read while NATS is unavailable. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `indexer` writes and serves its health only; `api` serves and never writes; `all` does both. */
  ROLE: z.enum(['all', 'indexer', 'api']).default('all'),
  /** The node's JSON-RPC; it may contain a user and password. */
  NODE_URL: z.url({ protocol: /^https?$/ }),
  /** The node's `.cookie`, instead of a user and password. */
  NODE_COOKIE_FILE: z.string().optional(),
  /** The node's ZeroMQ publisher: changes are seen before the next poll. */
  NODE_ZMQ_URL: z.url({ protocol: /^tcp$/ }).optional(),
  /** Stores every raw transaction; by default on all networks but mainnet, where the node is asked. */
  STORE_RAW: z.stringbool().optional(),
  /** The first block that is indexed. */
  START_HEIGHT: z.coerce.number().int().min(0).max(10_000_000).default(0),
  /** Indexes only these addresses and descriptors, and those of a file with one per line. */
  TRACK: list,
  TRACK_FILE: z.string().transform(readEntries).default([]),
  /** An empty index is loaded in bulk when the node has at least so many blocks. */
  BULK_MIN_BLOCKS: z.coerce.number().int().min(1).default(2_000),
  /** Connections that merge what was loaded, and the memory that Postgres may use for each. */
  BULK_WORKERS: z.coerce.number().int().min(1).max(64).default(2),
  BULK_MEMORY_MB: z.coerce.number().int().min(4).max(1_000_000).default(256),
  /** What this deployment stands in for, if it is not the node that callers expect behind its path; shown to callers. */
  STAND_IN: z.string().max(200).optional(),
  /** More mining pools, in the format of mempool's pools-v2.json. */
  POOLS_FILE: z.string().optional(),
})

const btcConnectEnv = settings
  .superRefine(({ CHAIN, NETWORK, TRACK, TRACK_FILE }, context) => {
    const wrong = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
    try {
      const rules = chainRules(CHAIN, NETWORK)
      for (const [name, entries] of Object.entries({ TRACK, TRACK_FILE }))
        for (const entry of entries) {
          const problem = entryProblem(entry, rules)
          if (problem) wrong(name, problem)
        }
    } catch {
      wrong('NETWORK', `${CHAIN} has no ${NETWORK}`)
    }
  })
  .refine(({ NODE_URL, NODE_COOKIE_FILE }) => !(NODE_COOKIE_FILE && new URL(NODE_URL).username), {
    path: ['NODE_COOKIE_FILE'],
    message: 'cannot be combined with a user in NODE_URL',
  })

export type BtcConnectEnv = ReturnType<typeof readEnv>

export function readEnv(source?: NodeJS.ProcessEnv) {
  const { TRACK_FILE, ...env } = parseEnv(btcConnectEnv, source)
  return {
    ...env,
    DEPLOYMENT: env.DEPLOYMENT ?? env.CHAIN,
    STORE_RAW: env.STORE_RAW ?? env.NETWORK !== 'mainnet',
    /** The owner scripts that are indexed; empty means all. */
    TRACK: trackedScripts([...env.TRACK, ...TRACK_FILE], chainRules(env.CHAIN, env.NETWORK)),
  }
}

/** The environment of the `status` command. */
export function readIndexEnv(source?: NodeJS.ProcessEnv) {
  const env = parseEnv(z.object(index), source)
  return { ...env, DEPLOYMENT: env.DEPLOYMENT ?? env.CHAIN }
}

function readEntries(path: string, context: z.RefinementCtx): string[] {
  try {
    const entries = trackFileEntries(readFileSync(path, 'utf8'))
    // An empty list would mean all owners.
    if (entries.length === 0) context.addIssue('has no address and no descriptor')
    return entries
  } catch (error) {
    context.addIssue(`cannot be read: ${messageOf(error)}`)
    return z.NEVER
  }
}

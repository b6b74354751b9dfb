import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { EvmChain } from '@trestle/contracts/chains/chain'
import { CHAIN_NAME, chainNamed } from '@trestle/contracts/chains/chains'
import { TRANSPORT_KINDS } from '@trestle/gateway/upstream/open-transport'
import { messageOf } from '@trestle/problem/thrown'
import { readChains } from '@trestle/runtime/chains-env'
import { list, parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'
import { environmentOf, groupedChains } from './group/chain-environment.js'
import type { ChainPace } from './heads/chain-pace.js'
import type { HeadRules } from './heads/head-rules.js'
import { parseUpstreams, type UpstreamConfig, type UpstreamsContext } from './upstreams/upstream-config.js'
import { UpstreamsSource } from './upstreams/upstreams-source.engine.js'

// A replica may be as far behind the best as most chains come in this time, and at least so many blocks.
const LAG_SECONDS = 48
const MIN_LAG = 4
// As often as there are blocks, by default.
const MIN_POLL_MS = 250
const MAX_POLL_MS = 1000

const ethRpcEnv = z.object({
  ...serviceEnv,
  /** Where revocations are read when NATS is away. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** One of the chains' records, or of TRESTLE_CHAINS_FILE. */
  CHAIN: z.string().regex(CHAIN_NAME, 'must be the name of a chain, like eth or base'),
  /** The name of this deployment and of its Postgres schema; by default the chain's. */
  DEPLOYMENT: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a short name like eth or sepolia')
    .optional(),
  /** By default those of the chain's record. */
  CHAIN_ID: z.coerce.number().int().min(1).optional(),
  NETWORK_ID: z.coerce.number().int().min(1).optional(),
  /** The nodes: `[name=]http(s)://...[+ws(s)://...][#archive][#priority=2]`, with commas between. */
  UPSTREAMS: z.string().optional(),
  /** The same and more, in a file (docs/eth-rpc-operations.md), which may change while the service runs. */
  UPSTREAMS_FILE: z.string().optional(),
  /** A proxy that connects us to the nodes, by CONNECT. */
  UPSTREAM_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  /** How HTTP to the nodes is spoken: by our own client, or by undici. */
  UPSTREAM_TRANSPORT: z.enum(TRANSPORT_KINDS).default('http1'),
  /** A block this far below the head is final; by default as the chain's record says. */
  FINALITY_DEPTH: z.coerce.number().int().min(1).max(100_000).optional(),
  /** How often a node without a subscription is polled for its head: by default once a second, on fast chains once a block. */
  POLL_MS: z.coerce.number().int().min(50).max(60_000).optional(),
  /** An upstream so many blocks behind the best is not asked. */
  MAX_LAG: z.coerce.number().int().min(1).max(1000).optional(),
  /** The longest a call may take. */
  CALL_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(15_000),
  /** Processes that serve; 0: one a core. */
  WORKERS: z.coerce.number().int().min(0).max(128).default(0),
  /** Of answers kept in memory, a process. */
  CACHE_MB: z.coerce.number().int().min(1).max(65_536).default(256),
  /** Of answers about final blocks kept in Postgres, for all processes; 0: none. */
  ANSWER_STORE_MB: z.coerce.number().int().min(0).max(1_048_576).default(512),
  /** The compute units a project may spend a second and a UTC day: the default, and the maximum that an owner may set: by default no more. */
  DEFAULT_PER_SECOND: limit(1_000_000_000).default(50_000),
  DEFAULT_PER_DAY: limit(1_000_000_000_000_000).default(1_000_000_000),
  MAX_PER_SECOND: limit(1_000_000_000).optional(),
  MAX_PER_DAY: limit(1_000_000_000_000_000).optional(),
  /** WebSockets from one address, a process. */
  SOCKETS_PER_ADDRESS: z.coerce.number().int().min(1).max(20_000).default(100),
  /** The most blocks one eth_getLogs may span. */
  LOG_BLOCKS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
})

export type EthRpcEnv = ReturnType<typeof readEnv>

type UpstreamsEnv = Pick<z.output<typeof ethRpcEnv>, 'UPSTREAMS' | 'UPSTREAMS_FILE'>

const groupEnv = z.object({
  HOST: serviceEnv.HOST,
  INTERNAL_PORT: serviceEnv.INTERNAL_PORT,
  LOG_LEVEL: serviceEnv.LOG_LEVEL,
  /** The chains of one process group, by their names with commas between; instead of CHAIN. */
  CHAINS: list,
})

/** The settings of a process group, and of each of its chains; undefined where the process serves one chain. */
export function readGroupEnv(source: NodeJS.ProcessEnv = process.env) {
  const chains = groupedChains(source)
  if (chains.length === 0) return undefined
  const variables = Object.keys(ethRpcEnv.shape)
  const ofEach = chains.map((name) => {
    const environment = environmentOf(evmChain(name, source), source, { variables, chains: chains.length })
    return { env: namingChain(name, () => readEnv(environment)), environment }
  })
  return { ...parseEnv(groupEnv, source), chains: ofEach }
}

export type GroupEnv = NonNullable<ReturnType<typeof readGroupEnv>>

/** What is missing is named as the operator has to write it. */
function namingChain<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${name}, of CHAINS: ${messageOf(error)}`)
  }
}

export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const env = parseEnv(ethRpcEnv, source)
  const chain = evmChain(env.CHAIN, source)
  const { chainId, networkId = chainId, network, blockSeconds } = chain
  const isOfRecord = env.CHAIN_ID === undefined || env.CHAIN_ID === chainId
  return {
    ...env,
    ...upstreamsOf(env, { chainId: env.CHAIN_ID ?? chainId, proxy: env.UPSTREAM_PROXY }, source),
    MAX_PER_SECOND: env.MAX_PER_SECOND ?? env.DEFAULT_PER_SECOND,
    MAX_PER_DAY: env.MAX_PER_DAY ?? env.DEFAULT_PER_DAY,
    DEPLOYMENT: env.DEPLOYMENT ?? env.CHAIN,
    WORKERS: env.WORKERS || availableParallelism(),
    CHAIN_ID: env.CHAIN_ID ?? chainId,
    NETWORK_ID: env.NETWORK_ID ?? env.CHAIN_ID ?? networkId,
    RULES: rulesOf(chain, env.FINALITY_DEPTH, isOfRecord),
    PACE: isOfRecord ? paceOf(network, blockSeconds) : undefined,
    POLL_MS: env.POLL_MS ?? Math.max(MIN_POLL_MS, Math.min(MAX_POLL_MS, blockSeconds * 1000)),
    MAX_LAG: env.MAX_LAG ?? Math.max(MIN_LAG, Math.ceil(LAG_SECONDS / blockSeconds)),
  }
}

/** Another chain id is another chain: what its blocks are hashed from is not known. */
function rulesOf({ finality, blockSeconds, headerHash }: EvmChain, depth: number | undefined, isOfRecord: boolean): HeadRules {
  return { finality: depth === undefined ? finality : { depth }, blockSeconds, headerHash: isOfRecord ? headerHash : undefined }
}

/** Undefined for chains that are made at will. */
function paceOf(network: EvmChain['network'], blockSeconds: number): ChainPace | undefined {
  return network === 'private' ? undefined : { blockSeconds }
}

interface ConfiguredUpstreams {
  readonly UPSTREAMS: readonly UpstreamConfig[]
  /** Where they are in a file. */
  readonly UPSTREAMS_SOURCE?: UpstreamsSource
}

/** A worker gets those of a file from its primary process: the file may have changed, and be wrong. */
function upstreamsOf(
  { UPSTREAMS: text, UPSTREAMS_FILE: path }: UpstreamsEnv,
  context: UpstreamsContext,
  source: NodeJS.ProcessEnv,
): ConfiguredUpstreams {
  if (text !== undefined && path !== undefined) throw invalid('UPSTREAMS: is set beside UPSTREAMS_FILE; only one of them must be')
  if (text === undefined && path === undefined) throw invalid('UPSTREAMS: is required, or UPSTREAMS_FILE')
  const name = path === undefined ? 'UPSTREAMS' : 'UPSTREAMS_FILE'
  try {
    if (path === undefined) return { UPSTREAMS: parseUpstreams(text ?? '', context) }
    if (cluster.isWorker) return { UPSTREAMS: [] }
    const UPSTREAMS_SOURCE = new UpstreamsSource(path, source, context)
    return { UPSTREAMS: UPSTREAMS_SOURCE.read(), UPSTREAMS_SOURCE }
  } catch (error) {
    throw invalid(`${name}: ${messageOf(error)}`)
  }
}

function invalid(what: string): Error {
  return new Error(`The environment is not valid:\n  ${what}`)
}

function evmChain(name: string, source?: NodeJS.ProcessEnv): EvmChain {
  const chain = readChains(source).find((each) => each.name === name) ?? chainNamed(name)
  if (chain?.family === 'evm') return chain
  throw new Error(`The environment is not complete:\n  CHAIN: ${name} is no EVM chain with a record, and none of TRESTLE_CHAINS_FILE`)
}

function limit(max: number) {
  return z.coerce.number().int().min(1).max(max)
}

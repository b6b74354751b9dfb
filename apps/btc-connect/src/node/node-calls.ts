import { z } from 'zod'
import type { NodeRpcCall } from './json-rpc.js'

// The calls of the node's JSON-RPC that are used: those that Bitcoin Core, Bitcoin Cash Node and Litecoin Core have in common.

const Bytes = z
  .string()
  .transform((hex) => ({ hex, bytes: Buffer.from(hex, 'hex') }))
  .refine(({ hex, bytes }) => bytes.length * 2 === hex.length)
  .transform(({ bytes }) => bytes)
const Hash = Bytes.refine(({ length }) => length === 32)

// A string up to Core 27, a list from 28 on.
const Warnings = z.union([z.string(), z.array(z.string()).transform((list) => list.join(' '))])

const ChainInfo = z.object({
  chain: z.string(),
  blocks: z.int(),
  headers: z.int().optional(),
  initialblockdownload: z.boolean().default(false),
  bestblockhash: Hash,
  difficulty: z.number(),
  pruned: z.boolean().default(false),
  pruneheight: z.int().optional(),
})
export type ChainInfo = z.infer<typeof ChainInfo>

const NetworkInfo = z.object({
  version: z.int(),
  subversion: z.string(),
  protocolversion: z.int(),
  timeoffset: z.int(),
  connections: z.int(),
  networks: z.array(z.object({ proxy: z.string() })).default([]),
  relayfee: z.number(),
  warnings: Warnings.default(''),
})
export type NetworkInfo = z.infer<typeof NetworkInfo>

const MempoolInfo = z.object({
  size: z.int(),
  bytes: z.int(),
  usage: z.int(),
  /** False while the node reloads its mempool after a restart. */
  loaded: z.boolean().default(true),
})

const BlockHeader = z.object({
  chainwork: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .transform((hex) => BigInt(`0x${hex}`)),
})

export const chainInfo = question('getblockchaininfo', [], ChainInfo)
export const networkInfo = question('getnetworkinfo', [], NetworkInfo)
export const bestBlockHash = question('getbestblockhash', [], Hash)
export const mempoolInfo = question('getmempoolinfo', [], MempoolInfo)
/** In hex: a Set compares strings by value, Buffers by identity. */
export const mempoolIds = question('getrawmempool', [], z.array(z.string().length(64)))
export const zmqNotifications = question('getzmqnotifications', [], z.array(z.object({ type: z.string(), address: z.string() })))
/** For Bitcoin Cash Node, which has no targets. */
export const estimateFee = question('estimatefee', [], z.number())

export function blockHash(height: number): NodeRpcCall<Buffer> {
  return question('getblockhash', [height], Hash)
}

export function blockHeader(hash: Buffer): NodeRpcCall<{ chainwork: bigint }> {
  return question('getblockheader', [hash.toString('hex')], BlockHeader)
}

export function rawBlock(hash: Buffer): NodeRpcCall<Buffer> {
  return question('getblock', [hash.toString('hex'), 0], Bytes)
}

/** Without a block the node searches its mempool, and its transaction index if it has one. */
export function rawTransaction(txid: Buffer | string, block?: Buffer): NodeRpcCall<Buffer> {
  const id = typeof txid === 'string' ? txid : txid.toString('hex')
  return question('getrawtransaction', block ? [id, false, block.toString('hex')] : [id, false], Bytes)
}

/** One argument: the second is a boolean before Core 0.19 and a number since. */
export function sendRawTransaction(hex: string): NodeRpcCall<string> {
  return question('sendrawtransaction', [hex], z.string().length(64))
}

export function estimateSmartFee(target: number): NodeRpcCall<{ feerate?: number }> {
  return question('estimatesmartfee', [target], z.object({ feerate: z.number().optional() }))
}

function question<T>(method: string, params: readonly unknown[], answer: z.ZodType<T>): NodeRpcCall<T> {
  return { method, params, answer }
}

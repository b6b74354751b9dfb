import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

const standIn = z.string().optional().meta({ description: 'The node that stands in for the one expected.' })

export const NetworkStatus = z
  .object({
    version: z.number(),
    protocolversion: z.number(),
    blocks: z.number(),
    timeoffset: z.number(),
    connections: z.number(),
    proxy: z.string(),
    difficulty: z.number(),
    testnet: z.boolean(),
    relayfee: z.number(),
    errors: z.string(),
    network: z.enum(['livenet', 'testnet', 'regtest']),
    standIn,
  })
  .meta({ id: 'NetworkStatus' })
export type NetworkStatus = z.infer<typeof NetworkStatus>

/** Which members are present depends on `q`. */
export const StatusAnswer = z
  .object({
    info: NetworkStatus.optional(),
    difficulty: z.number().optional(),
    bestblockhash: z.string().optional(),
    syncTipHash: z.string().optional(),
    lastblockhash: z.string().optional(),
  })
  .meta({ id: 'StatusAnswer' })
export type StatusAnswer = z.infer<typeof StatusAnswer>

export const SyncStatus = z
  .object({
    status: z.enum(['starting', 'syncing', 'finished', 'error']),
    blockChainHeight: z.number().meta({ description: 'The height of the node; while it is syncing, the height it is syncing to.' }),
    syncPercentage: z.int().min(0).max(100),
    height: z.number().meta({ description: 'The height of the index, which all replies are based on.' }),
    error: z.string().nullable(),
    type: z.string(),
    phase: z.enum(['load', 'merge', 'tip']),
    blocksLeft: z
      .number()
      .meta({ description: 'Blocks not indexed yet. In the phases `load` and `merge`, indexed blocks are not served yet either.' }),
    blocksPerSecond: z.number().nullable(),
    secondsLeft: z.number().nullable().meta({ description: 'null while unknown.' }),
    note: z.string().nullable().meta({ description: 'What it is waiting for, such as the node, if that is no error.' }),
    standIn,
  })
  .meta({ id: 'SyncStatus' })
export type SyncStatus = z.infer<typeof SyncStatus>

export const status = {
  show: endpoint({
    method: 'GET',
    path: '/api/v1/status',
    summary: 'The network as the node sees it: `getInfo` (the default), `getDifficulty`, `getBestBlockHash` or `getLastBlockHash`.',
    access: can('btc:read'),
    query: z.object({ q: z.string().max(100).optional() }),
    status: 200,
    reply: StatusAnswer,
    problems: ['NodeUnavailable'],
  }),
  sync: endpoint({
    method: 'GET',
    path: '/api/v1/sync',
    summary: 'How far the index is behind the node, and the time left.',
    access: can('btc:read'),
    status: 200,
    reply: SyncStatus,
  }),
  peer: endpoint({
    method: 'GET',
    path: '/api/v1/peer',
    summary: 'Whether the node is reachable.',
    access: can('btc:read'),
    status: 200,
    reply: z.object({ connected: z.boolean(), host: z.string(), port: z.number().nullable() }).meta({ id: 'PeerStatus' }),
  }),
  version: endpoint({
    method: 'GET',
    path: '/api/v1/version',
    summary: 'The version of this service, and its chain.',
    access: can('btc:read'),
    status: 200,
    reply: z.object({ version: z.string(), chain: z.string(), network: z.string(), standIn }).meta({ id: 'ServiceVersion' }),
  }),
}

import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { queryInteger } from '../fields.js'

/** Blocks on a page: at most, and by default. */
const MAX_PAGE_BLOCKS = 500
export const DEFAULT_PAGE_BLOCKS = 200

const PoolInfo = z
  .object({ poolName: z.string().optional(), url: z.string().optional() })
  .meta({ id: 'PoolInfo', description: 'The likely miner; empty if unknown.' })

/** Interface 2.11. */
export const InsightBlock = z
  .object({
    hash: z.string(),
    size: z.number(),
    height: z.number(),
    version: z.number(),
    merkleroot: z.string(),
    tx: z.array(z.string()),
    time: z.number(),
    nonce: z.number(),
    bits: z.string(),
    difficulty: z.number(),
    chainwork: z.string(),
    confirmations: z.number().meta({ description: '-1 for a block that is not on the best chain.' }),
    previousblockhash: z.string().nullable(),
    nextblockhash: z.string().optional(),
    reward: z.number().meta({ description: 'The block subsidy in coins, without fees.' }),
    isMainChain: z.boolean(),
    poolInfo: PoolInfo,
  })
  .meta({ id: 'Block' })
export type InsightBlock = z.infer<typeof InsightBlock>

const BlockSummary = z
  .object({ height: z.int(), size: z.int(), hash: z.string(), time: z.int(), txlength: z.int(), poolInfo: PoolInfo })
  .meta({ id: 'BlockSummary' })

const Pagination = z
  .object({
    next: z.string(),
    prev: z.string(),
    currentTs: z.int(),
    current: z.string(),
    isToday: z.boolean(),
    more: z.boolean(),
    moreTs: z.int().optional().meta({ description: 'The `startTimestamp` of the next page.' }),
    moreHeight: z.int().optional().meta({ description: 'Its `startHeight`: several blocks may carry one time.' }),
  })
  .meta({ id: 'BlockPagination' })

export const BlockList = z.object({ blocks: z.array(BlockSummary), length: z.int(), pagination: Pagination }).meta({ id: 'BlockList' })
export type BlockList = z.infer<typeof BlockList>

export const blocks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/blocks',
    summary: `The blocks of a day (UTC), newest first; by default ${DEFAULT_PAGE_BLOCKS}, at most ${MAX_PAGE_BLOCKS}.`,
    access: can('btc:read'),
    query: z.object({
      limit: queryInteger(1, MAX_PAGE_BLOCKS).optional(),
      date: z.string().optional().meta({ description: 'By default today.', example: '2026-01-31' }),
      blockDate: z.string().optional().meta({ description: 'The former name of `date`.' }),
      startTimestamp: queryInteger(0, 1e12).optional().meta({ description: 'Only blocks before this time: `moreTs` of the page before.' }),
      startHeight: queryInteger(0, 1e12)
        .optional()
        .meta({ description: 'With it `moreHeight`: also those of that time below this height.' }),
    }),
    status: 200,
    reply: BlockList,
    problems: ['InvalidDate', 'NotReady'],
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/v1/block/{hash}',
    summary: 'A block. A replaced block stays readable, with `isMainChain` false and `confirmations` -1.',
    access: can('btc:read'),
    params: z.object({ hash: z.string() }),
    status: 200,
    reply: InsightBlock,
    problems: ['NotFound', 'NotReady'],
  }),
  hash: endpoint({
    method: 'GET',
    path: '/api/v1/block-index/{height}',
    summary: 'The hash of the block at a height; 0 is the genesis block.',
    access: can('btc:read'),
    params: z.object({ height: z.string() }),
    status: 200,
    reply: z.object({ blockHash: z.string() }).meta({ id: 'BlockHash' }),
    problems: ['InvalidHeight', 'NotReady'],
  }),
}

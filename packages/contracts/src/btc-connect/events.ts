import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

export const EVENTS = ['block', 'tx', 'address'] as const
export type EventName = (typeof EVENTS)[number]

/** Addresses that a stream may follow, and open streams of a user at each replica. */
export const MAX_FOLLOWED_ADDRESSES = 100
export const MAX_USER_STREAMS = 10

/** The `data` of each event. */
export const BlockEvent = z.object({
  hash: z.string(),
  height: z.int(),
  previousblockhash: z.string(),
  time: z.int(),
  size: z.int(),
  txlength: z.int(),
})
export const TransactionEvent = z.object({ txid: z.string(), valueOut: z.number(), size: z.int(), time: z.int() })
export const AddressEvent = z.object({ address: z.string(), txid: z.string(), blockheight: z.int(), blockhash: z.string().optional() })

export const chainEvents = {
  stream: endpoint({
    method: 'GET',
    path: '/api/v1/events',
    summary: `Server-sent events: \`block\` for each new block of the best chain, \`tx\` for each transaction that enters the mempool, \`address\` for each of them, and of a block, that pays or spends from an address of \`address\` (at most ${MAX_FOLLOWED_ADDRESSES}). \`Last-Event-ID\` resumes after that block. At most ${MAX_USER_STREAMS} streams per user.`,
    access: can('btc:read'),
    query: z.object({
      address: z.string().optional().meta({ description: 'Comma-separated addresses to follow.' }),
      events: z
        .string()
        .optional()
        .meta({ description: 'Comma-separated event names. By default `block,tx`, and with addresses `block,address`.' }),
    }),
    status: 200,
    replyType: 'text/event-stream',
    emits: { block: BlockEvent, tx: TransactionEvent, address: AddressEvent },
    problems: ['InvalidAddress', 'NotFollowed', 'TooManyAddresses', 'TooManyStreams', 'NotReady'],
  }),
}

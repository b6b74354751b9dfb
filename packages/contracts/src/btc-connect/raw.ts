import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

// No pattern: an invalid hash gets Insight's error, not InvalidInput.
const params = z.object({ hash: z.string() })

export const raw = {
  block: endpoint({
    method: 'GET',
    path: '/api/v1/rawblock/{hash}',
    summary: 'A serialized block in hex.',
    access: can('btc:read'),
    params,
    status: 200,
    reply: z.object({ rawblock: z.string() }).meta({ id: 'RawBlock' }),
    problems: ['NotFound', 'NodeUnavailable'],
  }),
  transaction: endpoint({
    method: 'GET',
    path: '/api/v1/rawtx/{hash}',
    summary: 'A serialized transaction in hex.',
    access: can('btc:read'),
    params,
    status: 200,
    reply: z.object({ rawtx: z.string() }).meta({ id: 'RawTransaction' }),
    problems: ['InvalidTransactionId', 'NotFound', 'NotReady', 'NodeUnavailable'],
  }),
}

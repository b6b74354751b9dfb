import { z } from 'zod'
import { endpoint } from '../endpoint.js'

// What is no hash is answered as Insight answers it, not as an invalid parameter: no pattern here.
const params = z.object({ hash: z.string() })

export const raw = {
  block: endpoint({
    method: 'GET',
    path: '/api/v1/rawblock/{hash}',
    summary: 'A block as the network has it, in hex.',
    access: 'client',
    params,
    status: 200,
    reply: z.object({ rawblock: z.string() }).meta({ id: 'RawBlock' }),
    problems: ['NotFound', 'NodeUnavailable'],
  }),
  transaction: endpoint({
    method: 'GET',
    path: '/api/v1/rawtx/{hash}',
    summary: 'A transaction as the network has it, in hex.',
    access: 'client',
    params,
    status: 200,
    reply: z.object({ rawtx: z.string() }).meta({ id: 'RawTransaction' }),
    problems: ['InvalidTransactionId', 'NotFound', 'NotReady', 'NodeUnavailable'],
  }),
}

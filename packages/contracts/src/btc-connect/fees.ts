import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

export const fees = {
  estimate: endpoint({
    method: 'GET',
    path: '/api/v1/utils/estimatefee',
    summary:
      'The fee rate, in coins per kilobyte, to confirm within a number of blocks; -1 if the node has no estimate. Several numbers are comma-separated.',
    access: can('btc:read'),
    query: z.object({ nbBlocks: z.string().max(200).optional().meta({ description: 'By default 2.', example: '2,6' }) }),
    status: 200,
    reply: z.record(z.string(), z.number()).meta({ id: 'FeeEstimates' }),
    problems: ['InvalidFeeTarget', 'NodeUnavailable'],
  }),
}

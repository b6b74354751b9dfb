import { z } from 'zod'
import { endpoint } from '../endpoint.js'

export const fees = {
  estimate: endpoint({
    method: 'GET',
    path: '/api/v1/utils/estimatefee',
    summary:
      'The fee, in coins per kilobyte, that confirms within so many blocks; -1 where the node cannot tell. Several numbers with commas.',
    access: 'client',
    query: z.object({ nbBlocks: z.string().max(200).optional().meta({ description: 'By default 2.', example: '2,6' }) }),
    status: 200,
    reply: z.record(z.string(), z.number()).meta({ id: 'FeeEstimates' }),
    problems: ['InvalidFeeTarget', 'NodeUnavailable'],
  }),
}

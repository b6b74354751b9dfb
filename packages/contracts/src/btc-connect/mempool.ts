import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

const Count = z.int().min(0)

const amounts = {
  txlength: Count.meta({ description: 'Transactions.' }),
  vsize: Count.meta({ description: 'Virtual size (BIP 141); on Bitcoin Cash, size in bytes.' }),
  feesSat: z.number(),
}

export const MempoolSize = z
  .object({
    ...amounts,
    bands: z
      .array(
        z.object({
          from: Count.meta({ description: 'Satoshis per virtual byte, inclusive.' }),
          to: Count.nullable().meta({ description: 'Exclusive; `null`: unbounded.' }),
          ...amounts,
        }),
      )
      .meta({ description: 'By fee rate of the transaction itself, lowest first; always the same bands, including empty ones.' }),
  })
  .meta({
    id: 'MempoolSize',
    description:
      'A transaction of unknown fee, which spends outputs that this index does not have, counts with a fee of 0 and is in no band.',
  })
export type MempoolSize = z.infer<typeof MempoolSize>

export const mempool = {
  size: endpoint({
    method: 'GET',
    path: '/api/v1/mempool',
    summary: 'The size of the mempool by fee rate.',
    access: can('btc:read'),
    status: 200,
    reply: MempoolSize,
    problems: ['NotReady'],
  }),
}

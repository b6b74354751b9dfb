import { z } from 'zod'
import { endpoint } from '../endpoint.js'

const Count = z.int().min(0)

const amounts = {
  txlength: Count.meta({ description: 'Transactions.' }),
  vsize: Count.meta({ description: 'What they take of a block, in virtual bytes (BIP 141); on Bitcoin Cash their size.' }),
  feesSat: z.number(),
}

export const MempoolSize = z
  .object({
    ...amounts,
    bands: z
      .array(
        z.object({
          from: Count.meta({ description: 'In satoshis a virtual byte; who pays exactly this is in it.' }),
          to: Count.nullable().meta({ description: 'Who pays exactly this is in the next. `null`: without end.' }),
          ...amounts,
        }),
      )
      .meta({ description: 'By what a transaction itself pays, the least first; always the same bands, also those with nothing in them.' }),
  })
  .meta({
    id: 'MempoolSize',
    description:
      'A transaction whose fee cannot be told, as it spends what this index does not keep, counts as one without a fee, and is in no band.',
  })
export type MempoolSize = z.infer<typeof MempoolSize>

export const mempool = {
  size: endpoint({
    method: 'GET',
    path: '/api/v1/mempool',
    summary: 'How much waits for a block, by what it pays.',
    access: 'client',
    status: 200,
    reply: MempoolSize,
    problems: ['NotReady'],
  }),
}

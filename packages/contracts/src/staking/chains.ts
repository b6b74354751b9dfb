import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

export const chains = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/chains',
    summary: 'The chains validators can be created on.',
    access: can('staking:read'),
    status: 200,
    reply: z.array(z.string()),
  }),
}

export const regions = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/regions',
    summary: 'The regions you can create validators in.',
    access: can('staking:read'),
    status: 200,
    reply: z.array(z.string()),
  }),
}

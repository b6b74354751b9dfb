import { z } from 'zod'
import { endpoint } from '../endpoint.js'

export const chains = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/chains',
    summary: 'The chains validators can be created on.',
    access: 'client',
    status: 200,
    reply: z.array(z.string()),
  }),
}

export const regions = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/regions',
    summary: 'The regions you can create validators in.',
    access: 'client',
    status: 200,
    reply: z.array(z.string()),
  }),
}

import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Digits } from '../fields.js'
import { ChainParams, ValidatorParams } from './validators.js'

const rates = {
  apr: z.number().meta({ description: 'Percent a year, not compounded.' }),
  consensusApr: z.number(),
  executionApr: z.number(),
}

export const Performance = z
  .object({
    ...rates,
    balance: Digits.meta({ description: 'In wei.' }),
    effectiveBalance: Digits.meta({ description: 'In wei.' }),
    chain: z.string(),
    pubkey: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    consensusRewards: Digits.meta({ description: 'In wei, as all that follow.' }),
    consensusPenalties: Digits,
    executionRewards: Digits,
    executionPenalties: Digits,
  })
  .meta({ id: 'ValidatorPerformance' })
export type Performance = z.infer<typeof Performance>

export const ChainStats = z.object({ ...rates, chain: z.string() }).meta({ id: 'ChainStats' })
export type ChainStats = z.infer<typeof ChainStats>

export const performance = {
  get: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/performance',
    summary: 'What it has earned, by UTC days that are final; the last 30 days unless asked otherwise.',
    access: 'client',
    params: ValidatorParams,
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    status: 200,
    reply: Performance,
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidRange'],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/stats',
    summary: 'What a validator earns on the chain, and what those here have earned of fees.',
    access: 'client',
    params: ChainParams,
    status: 200,
    reply: ChainStats,
    problems: ['UnknownChain'],
  }),
}

import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Digits } from '../fields.js'
import { ChainParams, ValidatorParams } from './validators.js'

const rates = {
  apr: z.number().meta({ description: 'Percent a year, not compounded.' }),
  consensusApr: z.number(),
  executionApr: z.number(),
}

export const ValidatorPerformance = z
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
export type ValidatorPerformance = z.infer<typeof ValidatorPerformance>

const Duty = z.int().min(0).nullable()

export const ValidatorDay = z
  .object({
    date: z.iso.date(),
    final: z.boolean().meta({ description: 'A day that is final never changes; of the open one, what is final so far.' }),
    balance: Digits.meta({ description: 'At the end of the day; in wei, as all amounts here.' }),
    effectiveBalance: Digits,
    deposits: Digits,
    withdrawals: Digits,
    consensusRewards: Digits,
    consensusPenalties: Digits,
    executionRewards: Digits,
    executionPenalties: Digits,
    activeEpochs: z.int().min(0),
    attestations: Duty.meta({
      description: 'Those of which a node told; fewer than `activeEpochs` where none did. Null, as all that follow: not known.',
    }),
    missedAttestations: Duty,
    proposals: Duty.meta({ description: 'Blocks that it had to make.' }),
    missedProposals: Duty,
    syncDuties: Duty.meta({ description: 'Blocks that were made while it was in a sync committee.' }),
    missedSyncDuties: Duty,
  })
  .meta({ id: 'ValidatorDay' })
export type ValidatorDay = z.infer<typeof ValidatorDay>

export const ChainStats = z.object({ ...rates, chain: z.string() }).meta({ id: 'ChainStats' })
export type ChainStats = z.infer<typeof ChainStats>

const Days = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() })

export const performance = {
  get: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/performance',
    summary: 'What it has earned, by UTC days that are final; the last 30 days unless asked otherwise.',
    access: 'client',
    params: ValidatorParams,
    query: Days,
    status: 200,
    reply: ValidatorPerformance,
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidRange'],
  }),
  days: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/performance/days',
    summary: 'Each UTC day by itself, oldest first: its balance, what changed it, and its duties. The last 30 days; at most 366.',
    access: 'client',
    params: ValidatorParams,
    query: Days,
    status: 200,
    reply: z.array(ValidatorDay),
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

import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { Digits } from '../fields.js'
import { ChainParams, ValidatorParams } from './validators.js'

const rates = {
  apr: z.number().meta({ description: 'Percent per year, not compounded.' }),
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
    final: z.boolean().meta({ description: 'A final day never changes; the current day has what is final so far.' }),
    balance: Digits.meta({ description: 'At the end of the day; in wei, as all amounts here.' }),
    effectiveBalance: Digits,
    deposits: Digits,
    withdrawals: Digits,
    consensusRewards: Digits,
    consensusPenalties: Digits,
    unexplained: Digits.meta({
      description: 'What the balance gained or lost for a reason that no node shows. It is in no bill, and an operator is alarmed.',
    }),
    executionRewards: Digits,
    executionPenalties: Digits,
    activeEpochs: z.int().min(0),
    attestations: Duty.meta({
      description:
        'Attestations that a node reported; fewer than `activeEpochs` if none did for some epochs. Null, here and below: unknown.',
    }),
    missedAttestations: Duty,
    proposals: Duty.meta({ description: 'Blocks that it was to propose.' }),
    missedProposals: Duty,
    syncDuties: Duty.meta({ description: 'Blocks proposed while it was in a sync committee.' }),
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
    summary: 'What it earned on final UTC days; by default the last 30.',
    access: can('staking:read'),
    params: ValidatorParams,
    query: Days,
    status: 200,
    reply: ValidatorPerformance,
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidRange'],
  }),
  days: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/performance/days',
    summary: 'Balance, changes and duties of each UTC day, oldest first; by default the last 30 days, at most 366.',
    access: can('staking:read'),
    params: ValidatorParams,
    query: Days,
    status: 200,
    reply: z.array(ValidatorDay),
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidRange'],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/stats',
    summary: 'What a validator earns on the chain, and the fees that those here earned.',
    access: can('staking:read'),
    params: ChainParams,
    status: 200,
    reply: ChainStats,
    problems: ['UnknownChain'],
  }),
}

import { parseEnv, sealingKeys, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'
import { parseChains } from './chains/chain-settings.js'

const settings = z.object({
  ...serviceEnv,
  /** Where revocations are read when NATS is away. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The chains, their nodes, and the regions with their signers, as JSON. */
  CHAINS: z.string().transform((text, context) => {
    try {
      return parseChains(text)
    } catch (error) {
      context.addIssue((error as Error).message)
      return z.NEVER
    }
  }),
  /** Seal the passwords of keystores: without them the keys are lost. */
  KEY_ENCRYPTION_KEYS: sealingKeys,
  /** `worker` looks after validators and books what they earn; `api` answers callers; `all` does both. */
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  /** How often validators are looked after where nobody asks for anything. */
  RECONCILE_MS: z.coerce.number().int().min(50).max(600_000).default(12_000),
  /** The most validators of one owner. */
  MAX_VALIDATORS: z.coerce.number().int().min(1).max(1_000_000).default(1000),
  /** What is charged of what a validator has earned, in hundredths of a percent. */
  FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(10_000).default(0),
  /** An exit wants the signature of the withdrawal address. */
  REQUIRE_EXIT_SIGNATURE: z.stringbool().default(false),
  /** One that is staking cannot be taken out of its owner's list. */
  PROTECT_STAKING_VALIDATORS: z.stringbool().default(false),
})

export type StakingEnv = z.infer<typeof settings>

export function readEnv(source?: NodeJS.ProcessEnv): StakingEnv {
  return parseEnv(settings, source)
}

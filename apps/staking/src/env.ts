import { messageOf } from '@trestle/problem/thrown'
import { parseEnv, sealingKeys, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'
import { parseChains } from './chains/chain-settings.js'

const settings = z.object({
  ...serviceEnv,
  /** Where revocations are read while NATS is unreachable. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The chains, their nodes, and the regions with their signers, as JSON. */
  CHAINS: z.string().transform((text, context) => {
    try {
      return parseChains(text)
    } catch (error) {
      context.addIssue(messageOf(error))
      return z.NEVER
    }
  }),
  /** Seal the passwords of keystores. Without them the keys are lost. */
  KEY_ENCRYPTION_KEYS: sealingKeys,
  /** `worker` reconciles validators and books what they earn; `api` serves requests; `all` does both. */
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  /** How often validators are reconciled if nothing changes. */
  RECONCILE_MS: z.coerce.number().int().min(50).max(600_000).default(12_000),
  /** How many validators a user may have created that are not deleted, in all organizations. */
  MAX_VALIDATORS: z.coerce.number().int().min(1).max(1_000_000).default(1000),
  /** The fee on earnings, in hundredths of a percent. */
  FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(10_000).default(0),
  /** An exit requires a signature of the withdrawal address. */
  REQUIRE_EXIT_SIGNATURE: z.stringbool().default(false),
  /** How long a deleted validator can be restored, and its key stays at its signer; 0: not at all. */
  BIN_HOURS: z.coerce.number().int().min(0).max(8_760).default(72),
  /** A validator that is staking cannot be deleted from its owner's list. */
  PROTECT_STAKING_VALIDATORS: z.stringbool().default(false),
})

export type StakingEnv = z.infer<typeof settings>

export function readEnv(source?: NodeJS.ProcessEnv): StakingEnv {
  return parseEnv(settings, source)
}

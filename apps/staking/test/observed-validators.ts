import type { BeaconValidator } from '../src/chains/beacon-responses.js'
import type { ChainObservation, ChainTiming } from '../src/lifecycle/steps.js'
import type { ValidatorRecord } from '../src/lifecycle/validator-record.js'

export const OWN = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xaa)])
export const OWN_COMPOUNDING = Buffer.concat([Buffer.of(2), Buffer.alloc(11), Buffer.alloc(20, 0xaa)])
export const FOREIGN = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xbb)])
export const PUBKEY = Buffer.alloc(48, 7)
export const NOW = new Date('2026-01-02T00:00:00Z')
export const EARLIER = new Date('2026-01-01T00:00:00Z')

export const terms: ChainTiming = { shardCommitteePeriod: 256, epochTime: (epoch) => new Date(epoch * 384_000), epochAt: () => 1000 }
export const BINDING = { identity: 'token:a', watchedSince: new Date(0) }

export const nowhere = { held: false, heldElsewhere: false, binding: BINDING }
export const held = { held: true, heldElsewhere: false, binding: BINDING }
export function record({
  chain = {},
  ...overrides
}: Partial<Omit<ValidatorRecord, 'chain'>> & { chain?: Partial<ValidatorRecord['chain']> } = {}): ValidatorRecord {
  return {
    serial: 1,
    pubkey: PUBKEY,
    region: 'eu',
    withdrawalCredentials: OWN,
    feeAddress: Buffer.alloc(20, 0xaa),
    createdAt: EARLIER,
    signer: {},
    custody: {},
    ...overrides,
    chain: { balanceGwei: 0n, effectiveBalanceGwei: 0n, slashed: false, ...chain },
  }
}

export function observation(overrides: Partial<ChainObservation> = {}): ChainObservation {
  return { now: NOW, askedAt: NOW, epoch: 1000, deposits: [], ...overrides }
}

export function validator(overrides: Partial<BeaconValidator> = {}): BeaconValidator {
  return {
    index: 5,
    pubkey: PUBKEY,
    status: 'active_ongoing',
    balanceGwei: 32_000_000_000n,
    effectiveBalanceGwei: 32_000_000_000n,
    slashed: false,
    activationEpoch: 100,
    withdrawalCredentials: OWN,
    ...overrides,
  }
}

import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { type DepositEvent, isValidDeposit } from '@trestle/ethereum/deposit'
import type { PendingDeposit } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { DepositLogs } from './deposit-logs.engine.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import type { ObservedDeposit } from './steps.js'

/** A deposit whose signature is not verified yet. */
export type UnverifiedDeposit = Pick<PendingDeposit | DepositEvent, 'pubkey' | 'withdrawalCredentials' | 'amountGwei' | 'signature'> & {
  readonly at: Date
}

const MAX_VALIDITIES = 10_000

/** Finds the deposits of keys that the chain has no validator for yet. */
@Injectable()
export class DepositFinderService {
  /** Whether the signatures of pending deposits are valid: every pass needs each of them. */
  private readonly validities = new Map<string, boolean>()

  constructor(
    private readonly chains: ChainsService,
    private readonly logs: DepositLogs,
    private readonly times: PassTimesService,
    private readonly failures: PassFailuresService,
  ) {}

  /** Those in the chain's queue first: what else is in the logs is older, or not in a beacon block yet. */
  async list(chain: StakingChain, lease: Lease): Promise<UnverifiedDeposit[]> {
    const { name } = chain.settings
    const pending = await this.chains.beacon(name).pendingDeposits()
    // Before Electra there is no queue, only the logs.
    if (!pending) return this.logged(name)
    const queued = pending.map((deposit): UnverifiedDeposit => ({ ...deposit, at: chain.slotTime(deposit.slot) }))
    if (!this.chains.execution(name).isConfigured) return queued
    // The queue has a deposit once its block is at the head (EIP-6110): without the logs it is found a little later.
    const logged = await this.failures.attempt(`deposit logs of ${name}`, lease, () => this.logged(name))
    return [...queued, ...(logged ?? [])]
  }

  /** By public key. The chain ignores a deposit with an invalid signature for a new validator, and so do we. */
  select(deposits: readonly UnverifiedDeposit[], keys: ReadonlySet<string>, chain: StakingChain): Map<string, ObservedDeposit[]> {
    const selected = new Map<string, ObservedDeposit[]>()
    for (const deposit of deposits) {
      const key = deposit.pubkey.toString('hex')
      if (keys.has(key) && this.isValid(deposit, chain)) selected.set(key, [...(selected.get(key) ?? []), deposit])
    }
    return selected
  }

  private async logged(name: string): Promise<UnverifiedDeposit[]> {
    const logs = await this.logs.read(name, this.chains.execution(name))
    return logs.map((deposit) => ({ ...deposit, at: this.times.now() }))
  }

  private isValid(deposit: UnverifiedDeposit, { network }: StakingChain): boolean {
    const { pubkey, withdrawalCredentials, signature, amountGwei } = deposit
    const id = `${Buffer.concat([pubkey, withdrawalCredentials, signature]).toString('hex')} ${amountGwei}`
    const known = this.validities.get(id)
    if (known !== undefined) return known
    const validity = isValidDeposit(deposit, network)
    if (this.validities.size >= MAX_VALIDITIES) this.validities.clear()
    this.validities.set(id, validity)
    return validity
  }
}

import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { type DepositEvent, isValidDeposit } from '@trestle/ethereum/deposit'
import type { PendingDeposit } from '../chains/beacon-responses.js'
import type { Chain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { DepositLogs } from './deposit-logs.engine.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import type { ObservedDeposit } from './steps.js'

/** One that a chain has seen, its signature not yet looked at. */
export type UnverifiedDeposit = Pick<PendingDeposit | DepositEvent, 'pubkey' | 'withdrawalCredentials' | 'amountGwei' | 'signature'> & {
  readonly at: Date
}

const MAX_VERDICTS = 10_000

/** Finds the deposits of keys that are no validators yet. */
@Injectable()
export class DepositFinderService {
  /** Whether the signatures of deposits that wait are good: each is looked at again in every pass. */
  private readonly verdicts = new Map<string, boolean>()

  constructor(
    private readonly chains: ChainsService,
    private readonly watch: DepositLogs,
    private readonly times: PassTimesService,
    private readonly failures: PassFailuresService,
  ) {}

  /** Those that the chain has queued first: what the logs have besides is older, or in no block of the beacon chain yet. */
  async list(chain: Chain, lease: Lease): Promise<UnverifiedDeposit[]> {
    const { name } = chain.settings
    const pending = await this.chains.beacon(name).pendingDeposits()
    // Before Electra there is no such queue, and the logs alone tell of deposits.
    if (!pending) return this.logged(name)
    const queued = pending.map((deposit): UnverifiedDeposit => ({ ...deposit, at: chain.slotTime(deposit.slot) }))
    if (!this.chains.execution(name).isConfigured) return queued
    // The queue has every deposit as soon as its block is at the head (EIP-6110): without the logs some are seen a little later.
    const logged = await this.failures.attempt(`deposit logs of ${name}`, lease, () => this.logged(name))
    return [...queued, ...(logged ?? [])]
  }

  /** By public key. Those that the chain will make a validator of: it passes over one whose signature is wrong, and so do we. */
  select(deposits: readonly UnverifiedDeposit[], keys: ReadonlySet<string>, chain: Chain): Map<string, ObservedDeposit[]> {
    const selected = new Map<string, ObservedDeposit[]>()
    for (const deposit of deposits) {
      const key = deposit.pubkey.toString('hex')
      if (keys.has(key) && this.isValid(deposit, chain)) selected.set(key, [...(selected.get(key) ?? []), deposit])
    }
    return selected
  }

  private async logged(name: string): Promise<UnverifiedDeposit[]> {
    const logs = await this.watch.read(name, this.chains.execution(name))
    return logs.map((deposit) => ({ ...deposit, at: this.times.now() }))
  }

  private isValid(deposit: UnverifiedDeposit, { network }: Chain): boolean {
    const { pubkey, withdrawalCredentials, signature, amountGwei } = deposit
    const id = `${Buffer.concat([pubkey, withdrawalCredentials, signature]).toString('hex')} ${amountGwei}`
    const known = this.verdicts.get(id)
    if (known !== undefined) return known
    const verdict = isValidDeposit(deposit, network)
    if (this.verdicts.size >= MAX_VERDICTS) this.verdicts.clear()
    this.verdicts.set(id, verdict)
    return verdict
  }
}

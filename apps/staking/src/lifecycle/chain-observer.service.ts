import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { Chain } from '../chains/chain-facts.js'
import { Chains } from '../chains/chains.service.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { DepositFinder } from './deposit-finder.service.js'
import { Failures } from './failures.service.js'
import { PassTimes } from './pass-times.service.js'
import type { Row } from './row.js'
import type { ChainSeen } from './steps.js'

/** What the chain said about the rows of one page. */
export interface ChainView {
  readonly chain: Chain
  readonly epoch: number
  readonly finalizedEpoch: number
  seen(row: Row): ChainSeen
}

/** Asks a chain about validators. */
@Injectable()
export class ChainObserver {
  constructor(
    private readonly chains: Chains,
    private readonly deposits: DepositFinder,
    private readonly times: PassTimes,
    private readonly failures: Failures,
  ) {}

  /** The chain itself, which is known without its nodes once one of them has answered. */
  chain(name: string): Promise<Chain> {
    return this.chains.get(name)
  }

  /** Undefined where any of it cannot be read: half an answer would be taken for a whole one. */
  observe(name: string, lease: Lease, rows: readonly Row[]): Promise<ChainView | undefined> {
    return this.failures.guard(`head of ${name}`, lease, () => this.look(name, lease, rows))
  }

  private async look(name: string, lease: Lease, rows: readonly Row[]): Promise<ChainView> {
    const beacon = this.chains.beacon(name)
    const chain = await this.chains.get(name)
    const { slot, optimistic } = await beacon.head()
    if (optimistic) throw new UpstreamUnavailable('The beacon node follows a head that it has not verified.')
    const { finalizedEpoch } = await beacon.finality()
    const keys = rows.map(({ pubkey }) => pubkey)
    const validators = new Map((await beacon.validators('head', keys)).map((validator) => [validator.pubkey.toString('hex'), validator]))
    const absent = keys.map((key) => key.toString('hex')).filter((key) => !validators.has(key))
    const deposits = await this.deposits.find(chain, lease, new Set(absent))
    const now = this.times.now()
    const epoch = chain.epochOf(slot)
    const seen = ({ pubkey }: Row): ChainSeen => {
      const key = pubkey.toString('hex')
      return { now, epoch, validator: validators.get(key), deposits: deposits.get(key) ?? [] }
    }
    return { chain, epoch, finalizedEpoch, seen }
  }
}

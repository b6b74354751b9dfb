import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { Chain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { DepositFinderService, type UnverifiedDeposit } from './deposit-finder.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import type { ChainObservation } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** What one pass asks a chain for once, when it is first needed; what fails has failed for the whole pass. */
export interface ChainReading {
  readonly name: string
  /** Before anything was asked. */
  readonly askedAt: Date
  head(): Promise<ChainHead>
  deposits(): Promise<readonly UnverifiedDeposit[]>
}

interface ChainHead {
  readonly chain: Chain
  readonly epoch: number
  readonly finalizedEpoch: number
}

/** What the chain said about the records of one page. */
export interface ChainView extends ChainHead {
  observationOf(record: ValidatorRecord): ChainObservation
}

/** Asks a chain about validators. */
@Injectable()
export class ChainObserverService {
  constructor(
    private readonly chains: ChainsService,
    private readonly deposits: DepositFinderService,
    private readonly times: PassTimesService,
    private readonly failures: PassFailuresService,
  ) {}

  /** The chain itself, which is known without its nodes once one of them has answered. */
  chain(name: string): Promise<Chain> {
    return this.chains.get(name)
  }

  /** For one pass: the signers' keys are listed before, so that nobody has signed with a lost one since. */
  open(name: string, lease: Lease): ChainReading {
    const head = once(() => this.head(name))
    const deposits = once(async () => this.deposits.list((await head()).chain, lease))
    return { name, askedAt: this.times.now(), head, deposits }
  }

  /** Undefined where any of it cannot be read: half an answer would be taken for a whole one. */
  observe(reading: ChainReading, lease: Lease, records: readonly ValidatorRecord[]): Promise<ChainView | undefined> {
    return this.failures.attempt(`head of ${reading.name}`, lease, () => this.read(reading, records))
  }

  private async head(name: string): Promise<ChainHead> {
    const beacon = this.chains.beacon(name)
    const chain = await this.chains.get(name)
    const { slot, optimistic } = await beacon.head()
    if (optimistic) throw new UpstreamUnavailable('The beacon node follows a head that it has not verified.')
    const { finalizedEpoch } = await beacon.finality()
    return { chain, epoch: chain.epochOf(slot), finalizedEpoch }
  }

  private async read({ name, askedAt, head, deposits }: ChainReading, records: readonly ValidatorRecord[]): Promise<ChainView> {
    const { chain, epoch, finalizedEpoch } = await head()
    const keys = records.map(({ pubkey }) => pubkey)
    const found = await this.chains.beacon(name).validators('head', keys)
    const validators = new Map(found.map((validator) => [validator.pubkey.toString('hex'), validator]))
    const absent = new Set(keys.map((key) => key.toString('hex')).filter((key) => !validators.has(key)))
    const paid = this.deposits.select(absent.size > 0 ? await deposits() : [], absent, chain)
    const now = this.times.now()
    const seen = ({ pubkey }: ValidatorRecord): ChainObservation => {
      const key = pubkey.toString('hex')
      return { now, askedAt, epoch, validator: validators.get(key), deposits: paid.get(key) ?? [] }
    }
    return { chain, epoch, finalizedEpoch, observationOf: seen }
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}

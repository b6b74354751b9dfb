import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { DepositFinderService, type UnverifiedDeposit } from './deposit-finder.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import type { ChainObservation } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** What a pass reads from a chain at most once, when it is first needed. A failure holds for the whole pass. */
export interface ChainReading {
  readonly name: string
  /** Needs no node once one has answered. */
  chain(): Promise<StakingChain>
  /** Before the first request. */
  readonly askedAt: Date
  head(): Promise<ChainHead>
  deposits(): Promise<readonly UnverifiedDeposit[]>
  /** Why the chain could not be read at last. */
  problem(): string | undefined
}

interface ChainHead {
  readonly chain: StakingChain
  readonly epoch: number
  readonly finalizedEpoch: number
}

/** What the chain reports about a batch of validators. */
export interface ChainView extends ChainHead {
  observationOf(record: ValidatorRecord): ChainObservation
}

/** Reads validators from a chain. */
@Injectable()
export class ChainObserverService {
  constructor(
    private readonly chains: ChainsService,
    private readonly deposits: DepositFinderService,
    private readonly times: PassTimesService,
    private readonly failures: PassFailuresService,
  ) {}

  /** For one pass. The signers' keys are listed before, so no one has signed with a lost key since. */
  open(name: string, lease: Lease): ChainReading {
    const head = once(() => this.head(name))
    const deposits = once(async () => this.deposits.list((await head()).chain, lease))
    const problem = () => this.failures.reasonOf(`head of ${name}`)
    return { name, chain: () => this.chains.get(name), askedAt: this.times.now(), head, deposits, problem }
  }

  /** Undefined if any part cannot be read: half an answer would look like a whole one. */
  observe(reading: ChainReading, lease: Lease, records: readonly ValidatorRecord[]): Promise<ChainView | undefined> {
    return this.failures.attempt(`head of ${reading.name}`, lease, () => this.read(reading, records))
  }

  private async head(name: string): Promise<ChainHead> {
    const beacon = this.chains.beacon(name)
    const chain = await this.chains.get(name)
    const { slot, optimistic } = await beacon.head(chain.clockSlot(this.times.now()))
    if (optimistic) throw new UpstreamUnavailable('The head of the beacon node is optimistic: its execution node has not verified it.')
    const { finalizedEpoch } = await beacon.finality()
    return { chain, epoch: chain.epochOf(slot), finalizedEpoch }
  }

  private async read({ name, askedAt, head, deposits }: ChainReading, records: readonly ValidatorRecord[]): Promise<ChainView> {
    const { chain, epoch, finalizedEpoch } = await head()
    const keys = records.map(({ pubkey }) => pubkey)
    const validatorList = await this.chains.beacon(name).validators('head', keys)
    const validators = new Map(validatorList.map((validator) => [validator.pubkey.toString('hex'), validator]))
    const absent = new Set(keys.map((key) => key.toString('hex')).filter((key) => !validators.has(key)))
    const paid = this.deposits.select(absent.size > 0 ? await deposits() : [], absent, chain)
    const now = this.times.now()
    const observationOf = ({ pubkey }: ValidatorRecord): ChainObservation => {
      const key = pubkey.toString('hex')
      return { now, askedAt, epoch, validator: validators.get(key), deposits: paid.get(key) ?? [] }
    }
    return { chain, epoch, finalizedEpoch, observationOf }
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}

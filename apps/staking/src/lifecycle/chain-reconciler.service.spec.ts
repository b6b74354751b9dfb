import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'
import { stub } from '../../test/stub.js'
import type { BeaconClient } from '../chains/beacon.client.js'
import type { BeaconValidator } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import type { ChainSettings } from '../chains/chain-settings.js'
import type { ChainsService } from '../chains/chains.service.js'
import type { ExecutionClient } from '../chains/execution.client.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { BatchReconcilerService } from './batch-reconciler.service.js'
import { ChainObserverService } from './chain-observer.service.js'
import { ChainReconcilerService } from './chain-reconciler.service.js'
import { DepositFinderService } from './deposit-finder.service.js'
import { DepositLogs } from './deposit-logs.engine.js'
import type { ExitSenderService } from './exit-sender.service.js'
import { KeyHolders } from './key-holders.js'
import type { KeyListingService } from './key-listing.service.js'
import type { LifecycleRepository } from './lifecycle.repository.js'
import type { ObservationsService } from './observations.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import type { SignerReconcilerService } from './signer-reconciler.service.js'
import type { ValidatorRecord } from './validator-record.js'

const [A, B, C] = [0xa, 0xb, 0xc].map((byte) => Buffer.alloc(48, byte)) as [Buffer, Buffer, Buffer]

describe(ChainReconcilerService, () => {
  it('reads the head and the deposits once, and the validators of each batch', async () => {
    const run = new OneRecordPages([A, B, C])
    await run.pass()
    expect(run.asked).toEqual(['head', 'finality', 'validators', 'pending deposits', 'validators', 'validators'])
    expect(run.views).toEqual([true, true, true])
    run.asked = []
    await run.pass()
    expect(run.asked).toEqual(['head', 'finality', 'validators', 'pending deposits', 'validators', 'validators'])
  })

  it('reads deposits only if a key has no validator yet', async () => {
    const run = new OneRecordPages([A, B, C])
    run.known = [A, C]
    await run.pass()
    expect(run.asked).toEqual(['head', 'finality', 'validators', 'validators', 'pending deposits', 'validators'])
    run.known = [A, B, C]
    run.asked = []
    await run.pass()
    expect(run.asked).not.toContain('pending deposits')
  })

  it('reads nothing if nothing is due', async () => {
    const run = new OneRecordPages([])
    await run.pass()
    expect(run.asked).toEqual([])
  })

  it('tries a failing node once, and still reconciles the signers of every batch', async () => {
    const run = new OneRecordPages([A, B, C])
    run.fails = 'head'
    await run.pass()
    expect(run.asked).toEqual(['head'])
    expect(run.views).toEqual([false, false, false])
  })

  it('has no view of a batch with an unknown key if deposits cannot be read', async () => {
    const run = new OneRecordPages([A, B, C])
    run.known = [B]
    run.fails = 'pending deposits'
    await run.pass()
    expect(run.asked.filter((what) => what === 'pending deposits')).toHaveLength(1)
    expect(run.views).toEqual([false, true, false])
  })
})

/** A chain with a record on every page, and what its node was asked. */
class OneRecordPages {
  asked: string[] = []
  /** Whether each page had one. */
  readonly views: boolean[] = []
  /** The keys of validators. */
  known: readonly Buffer[] = []
  fails?: string

  constructor(private readonly pages: readonly Buffer[]) {}

  pass(): Promise<void> {
    const failures = new PassFailuresService(createLogger('test', 'silent'))
    const times = new PassTimesService({ RECONCILE_MS: 0 }, new Clock())
    const repository = stub<LifecycleRepository>({ listDue: async ({ afterSerial }) => this.records(afterSerial) })
    const keys = stub<KeyListingService>({ list: async () => new KeyHolders(new Map()) })
    const observer = new ChainObserverService(
      this.chains,
      new DepositFinderService(this.chains, new DepositLogs(), times, failures),
      times,
      failures,
    )
    const observations = stub<ObservationsService>({ record: async (_lease, _view, records) => [...records], explain: async () => {} })
    const exits = stub<ExitSenderService>({ send: async () => {} })
    const signers = stub<SignerReconcilerService>({ reconcile: async ({ view }) => this.views.push(view !== undefined) < 0 })
    const pages = new BatchReconcilerService(observer, observations, exits, signers)
    return new ChainReconcilerService(repository, keys, observer, pages).reconcile(
      'dev',
      stub<Lease>({ signal: new AbortController().signal }),
    )
  }

  private records(afterSerial: number): ValidatorRecord[] {
    return this.pages.slice(afterSerial, afterSerial + 1).map((pubkey) => stub<ValidatorRecord>({ serial: afterSerial + 1, pubkey }))
  }

  private get chains(): ChainsService {
    const chain = stub<StakingChain>({ settings: stub<ChainSettings>({ name: 'dev' }), epochOf: () => 7, clockSlot: () => 224 })
    const beacon = stub<BeaconClient>({
      head: () => this.answer('head', { slot: 224, optimistic: false }),
      finality: () => this.answer('finality', { finalizedRoot: Buffer.alloc(32), finalizedEpoch: 5 }),
      pendingDeposits: () => this.answer('pending deposits', []),
      validators: async (_state, keys) =>
        this.answer(
          'validators',
          this.known.filter((known) => keys.includes(known)).map((pubkey) => stub<BeaconValidator>({ pubkey })),
        ),
    })
    const execution = stub<ExecutionClient>({ isConfigured: false })
    return stub<ChainsService>({ get: async () => chain, beacon: () => beacon, execution: () => execution })
  }

  private async answer<T>(what: string, answer: T): Promise<T> {
    this.asked.push(what)
    if (this.fails === what) throw new UpstreamUnavailable(`No node tells of ${what}.`)
    return answer
  }
}

import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'
import type { Chain } from '../chains/chain-facts.js'
import type { Chains } from '../chains/chains.service.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import type { ChainKeeper } from './chain-keeper.service.js'
import { ChainObserver } from './chain-observer.service.js'
import { ChainPass } from './chain-pass.service.js'
import { DepositFinder } from './deposit-finder.service.js'
import { DepositWatch } from './deposit-watch.service.js'
import type { ExitSender } from './exit-sender.service.js'
import { Failures } from './failures.service.js'
import type { HolderLists } from './holder-lists.service.js'
import { Holders } from './holders.js'
import type { LifecycleRepository } from './lifecycle.repository.js'
import { PageKeeper } from './page-keeper.service.js'
import { PassTimes } from './pass-times.service.js'
import type { Row } from './row.js'
import type { SignerKeeper } from './signer-keeper.service.js'
import type { SignerPass } from './signer-pass.js'

const [A, B, C] = [0xa, 0xb, 0xc].map((byte) => Buffer.alloc(48, byte)) as [Buffer, Buffer, Buffer]

describe(ChainPass, () => {
  it('asks for the head and what waits once, and for the validators of each page', async () => {
    const stage = new Stage([A, B, C])
    await stage.pass()
    expect(stage.asked).toEqual(['head', 'finality', 'validators', 'pending deposits', 'validators', 'validators'])
    expect(stage.views).toEqual([true, true, true])
    stage.asked = []
    await stage.pass()
    expect(stage.asked).toEqual(['head', 'finality', 'validators', 'pending deposits', 'validators', 'validators'])
  })

  it('asks for what waits where a key is no validator yet, and not before', async () => {
    const stage = new Stage([A, B, C])
    stage.known = [A, C]
    await stage.pass()
    expect(stage.asked).toEqual(['head', 'finality', 'validators', 'validators', 'pending deposits', 'validators'])
    stage.known = [A, B, C]
    stage.asked = []
    await stage.pass()
    expect(stage.asked).not.toContain('pending deposits')
  })

  it('asks nothing where nothing is due', async () => {
    const stage = new Stage([])
    await stage.pass()
    expect(stage.asked).toEqual([])
  })

  it('asks once in vain, and sees to the signers of every page all the same', async () => {
    const stage = new Stage([A, B, C])
    stage.fails = 'head'
    await stage.pass()
    expect(stage.asked).toEqual(['head'])
    expect(stage.views).toEqual([false, false, false])
  })

  it('takes half an answer for none: without what waits there is no view of a page that has a key of which nothing is known', async () => {
    const stage = new Stage([A, B, C])
    stage.known = [B]
    stage.fails = 'pending deposits'
    await stage.pass()
    expect(stage.asked.filter((what) => what === 'pending deposits')).toHaveLength(1)
    expect(stage.views).toEqual([false, true, false])
  })
})

/** A chain with a row on every page, and what its node was asked. */
class Stage {
  asked: string[] = []
  /** Whether each page had one. */
  readonly views: boolean[] = []
  /** The keys of validators. */
  known: readonly Buffer[] = []
  fails?: string

  constructor(private readonly pages: readonly Buffer[]) {}

  pass(): Promise<void> {
    const failures = new Failures(createLogger('test', 'silent'))
    const times = new PassTimes({ RECONCILE_MS: 0 }, new Clock())
    const repository = {
      listDue: async ({ afterSerial }: { afterSerial: number }) => this.rows(afterSerial),
    } as unknown as LifecycleRepository
    const lists = { of: async () => new Holders(new Map()) } as unknown as HolderLists
    const observer = new ChainObserver(this.chains, new DepositFinder(this.chains, new DepositWatch(), times, failures), times, failures)
    const keeper = { keep: async (_lease: unknown, _view: unknown, rows: readonly Row[]) => [...rows] } as unknown as ChainKeeper
    const exits = { send: async () => {} } as unknown as ExitSender
    const signers = { keep: async ({ view }: SignerPass) => this.views.push(view !== undefined) < 0 } as unknown as SignerKeeper
    const pages = new PageKeeper(observer, keeper, exits, signers)
    return new ChainPass(repository, lists, observer, pages).run('dev', { signal: new AbortController().signal } as Lease)
  }

  private rows(afterSerial: number): Row[] {
    return this.pages.slice(afterSerial, afterSerial + 1).map((pubkey) => ({ serial: afterSerial + 1, pubkey }) as Row)
  }

  private get chains(): Chains {
    const chain = { settings: { name: 'dev' }, epochOf: () => 7 } as unknown as Chain
    const beacon = {
      head: () => this.answer('head', { slot: 224, optimistic: false }),
      finality: () => this.answer('finality', { finalizedEpoch: 5 }),
      pendingDeposits: () => this.answer('pending deposits', []),
      validators: (_state: string, keys: readonly Buffer[]) =>
        this.answer(
          'validators',
          this.known.filter((known) => keys.some((key) => key.equals(known))).map((pubkey) => ({ pubkey })),
        ),
    }
    return { get: async () => chain, beacon: () => beacon, execution: () => ({ isConfigured: false }) } as unknown as Chains
  }

  private async answer<T>(what: string, answer: T): Promise<T> {
    this.asked.push(what)
    if (this.fails === what) throw new UpstreamUnavailable(`No node tells of ${what}.`)
    return answer
  }
}

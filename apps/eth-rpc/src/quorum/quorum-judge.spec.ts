import { jest } from '@jest/globals'
import { reorg, shortChain, smallHash } from '../../test/small-chain.js'
import { type CallOutcome, errorOf, resultOf } from '../framing/outcome.js'
import type { FollowedChain } from '../heads/followed-chain.js'
import type { Upstream } from '../upstreams/upstream.engine.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { QuorumJudge } from './quorum-judge.engine.js'

const [LIE, TRUTH] = [resultOf('0x1'), resultOf('0x2')]
const REVERT = errorOf({ code: 3, message: 'execution reverted' })

describe(QuorumJudge, () => {
  let chain: FollowedChain
  let liars: string[]
  let outvoted: boolean[]

  beforeEach(() => {
    jest.useFakeTimers()
    chain = shortChain(20)
    liars = []
    outvoted = []
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('condemns who has answered otherwise about a fact, once a reorganization cannot be why', () => {
    judge('eth_getBalance', LIE, TRUTH)
    expect(liars).toEqual([])
    jest.advanceTimersByTime(3_000)
    expect([liars, outvoted]).toEqual([['a'], [true]])
  })

  it('holds it against nobody where the block has been replaced meanwhile', () => {
    judge('eth_getBalance', LIE, TRUTH)
    reorg(chain, 20, 1)
    jest.advanceTimersByTime(3_000)
    expect(outvoted).toEqual([])
  })

  it('condemns at a block that is too old to be known', () => {
    chain = shortChain(400)
    judge('eth_getBalance', LIE, TRUTH, 5)
    jest.advanceTimersByTime(3_000)
    expect(liars).toEqual(['a'])
  })

  it('counts what nodes may compute otherwise, and trusts them still: any caller could make them differ', () => {
    judge('eth_call', LIE, TRUTH)
    jest.advanceTimersByTime(3_000)
    expect([liars, outvoted]).toEqual([[], [false]])
  })

  it.each([
    ['an error', REVERT, TRUTH],
    ['null', resultOf(null), TRUTH],
    ['a result where others have an error', LIE, REVERT],
    ['a result where others have null', LIE, resultOf(null)],
  ])('holds against nobody %s', (_, outcome, agreed) => {
    judge('eth_getUncleByBlockNumberAndIndex', outcome, agreed)
    jest.advanceTimersByTime(3_000)
    expect(outvoted).toEqual([])
  })

  it.each([
    ['has', 20, ['a']],
    ['may not have had', 21, []],
  ])('judges who shows a transaction otherwise by a block that it %s', (_, number, expected) => {
    const mined = resultOf({ blockNumber: `0x${number.toString(16)}`, blockHash: smallHash(number) })
    judge('eth_getTransactionByHash', resultOf({ blockNumber: null, blockHash: null }), mined)
    jest.advanceTimersByTime(3_000)
    expect(liars).toEqual(expected)
  })

  it('judges nothing where the block is not known: nodes may be on different branches', () => {
    judge('eth_getBalance', LIE, TRUTH, null)
    jest.advanceTimersByTime(3_000)
    expect(outvoted).toEqual([])
  })

  function judge(name: string, outcome: CallOutcome, agreed: CallOutcome, block: number | null = 20): void {
    const upstream = { config: { name: 'a' }, outvoted: (isLie: boolean) => outvoted.push(isLie) } as unknown as Upstream
    const judging = new QuorumJudge(chain, (liar) => liars.push(liar))
    judging.judge({ method: knownMethod(name), block: block ?? undefined }, { upstream, outcome, agreed })
  }
})

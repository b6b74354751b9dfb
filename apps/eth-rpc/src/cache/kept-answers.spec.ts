import { Metrics } from '@trestle/runtime/metrics'
import { reorg, shortChain, smallHash } from '../../test/small-chain.js'
import type { AnswerStore } from '../answer-store/answer-store.engine.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { CallMetrics } from '../gateway/call-metrics.engine.js'
import type { ChainChange } from '../heads/followed-chain.js'
import type { HeadFeed } from '../heads/head-feed.js'
import { methodNamed } from '../methods/method.js'
import { KeptAnswers } from './kept-answers.engine.js'
import { resolveCall } from './resolved-call.js'

describe(KeptAnswers, () => {
  it('keeps no answer about an old final block that was asked before the chain was set back', () => {
    const { kept, ask, lose } = desk()
    const question = ask('eth_getBalance', `0x${'ab'.repeat(20)}`, '0x2')
    const { losses } = kept
    lose()
    kept.keep(question, resultOf('0x1'), losses)
    expect(kept.find(question)).toBeUndefined()
    kept.keep(question, resultOf('0x1'), kept.losses)
    expect(kept.find(question)).toBeDefined()
  })

  it('answers with what is stored, and has it in memory from then on', async () => {
    const { kept, ask, refused } = desk(resultOf({ number: '0x5', hash: smallHash(5) }))
    const question = ask('eth_getBlockByNumber', '0x5', false)
    expect(kept.find(question)).toBeUndefined()
    expect(await kept.findStored(question)).toMatchObject({ cached: true })
    expect(kept.find(question)).toMatchObject({ cached: true })
    expect(refused).toEqual([])
  })

  it.each([
    ['about another block', { number: '0x6', hash: smallHash(6) }],
    ['of another branch', { number: '0x9', hash: smallHash(9, 3) }, '0x9'],
    ['null', null],
  ])('refuses what is stored where it is %s', async (_, stored, number = '0x5') => {
    const { kept, ask, refused } = desk(resultOf(stored))
    const question = ask('eth_getBlockByNumber', number, false)
    expect(await kept.findStored(question)).toBeUndefined()
    expect(kept.find(question)).toBeUndefined()
    expect(refused).toEqual([question.key])
  })
})

/** A chain of 20 blocks, of which 12 are held and 10 are final, and one stored answer to everything. */
function desk(stored?: CallOutcome) {
  const chain = shortChain(20, { finalized: 10, known: 12 })
  const refused: string[] = []
  let listener: ((change: ChainChange) => void) | undefined
  const onChange = (added: typeof listener) => {
    listener = added
  }
  const feed = { chain, onChange }
  const store = {
    ...{ now: () => 0, offer: () => undefined, onChange: () => undefined },
    mayHave: () => true,
    find: async () => stored,
    refuse: ({ key }: { key: string }) => void refused.push(key),
  }
  const kept = new KeptAnswers(feed as unknown as HeadFeed, store as unknown as AnswerStore, new CallMetrics(new Metrics()), {
    CACHE_MB: 1,
  })
  return {
    kept,
    refused,
    ask: (name: string, ...params: unknown[]) => resolveCall({ method: methodNamed(name)!, params }, chain),
    lose: () => listener?.(reorg(chain, 10, 3)),
  }
}

import { reorg, shortChain, smallBlock, smallHash } from '../../test/small-chain.js'
import { type CallOutcome, errorOf, resultOf } from '../framing/outcome.js'
import type { FollowedChain } from '../heads/followed-chain.js'
import { methodNamed } from '../methods/method.js'
import { AnswerCache } from './answer-cache.js'
import { resolveCall } from './resolved-call.js'

const ADDRESS = `0x${'ab'.repeat(20)}`
const REVERT = errorOf({ code: 3, message: 'execution reverted', data: '0x' })

describe(AnswerCache, () => {
  it('finds an answer again, byte for byte', () => {
    const { keep, find } = desk()
    const json = Buffer.from('{"b":1.0, "a":"\u00e9"}')
    keep('eth_getBalance', [ADDRESS, '0x5'], { member: 'result', json })
    expect(find('eth_getBalance', [ADDRESS.toUpperCase().replace('0X', '0x'), '0x5'])).toEqual({ member: 'result', json, cached: true })
  })

  it.each([
    ['null', resultOf(null)],
    ['an error', errorOf({ code: -32000, message: 'missing trie node' })],
    ['an error that speaks of a revert', errorOf({ code: -32000, message: '{"code":3,' })],
  ])('does not keep %s', (_what, outcome) => {
    const { keep, find } = desk()
    keep('eth_call', [{ to: ADDRESS }, '0x5'], outcome)
    expect(find('eth_call', [{ to: ADDRESS }, '0x5'])).toBeUndefined()
  })

  it('keeps a revert at a final block, and at no other', () => {
    const { keep, find } = desk()
    keep('eth_call', [{ to: ADDRESS }, '0x5'], REVERT)
    keep('eth_call', [{ to: ADDRESS }, 'latest'], REVERT)
    expect(find('eth_call', [{ to: ADDRESS }, '0x5'])).toEqual({ ...REVERT, cached: true })
    expect(find('eth_call', [{ to: ADDRESS }, 'latest'])).toBeUndefined()
  })

  it('keeps empty lists', () => {
    const { keep, find } = desk()
    keep('eth_getBlockReceipts', ['0x5'], resultOf([]))
    keep('eth_getLogs', [{}], resultOf([]))
    expect(find('eth_getBlockReceipts', ['0x5'])).toBeDefined()
    expect(find('eth_getLogs', [{ fromBlock: 'latest' }])).toBeDefined()
  })

  // What "finalized" means moves on, as that of "latest" does.
  it.each(['latest', 'safe', 'finalized'])('does not answer for %s with what it was before', (tag) => {
    const { keep, find, chain } = desk()
    keep('eth_getBlockByNumber', [tag, false], resultOf({ was: tag }))
    expect(find('eth_getBlockByNumber', [tag, false])).toBeDefined()
    chain.apply({ removed: [], added: [smallBlock(21)] })
    chain.finalize({ safe: 16, finalized: 11 })
    expect(find('eth_getBlockByNumber', [tag, false])).toBeUndefined()
  })

  it('forgets the price of gas at the next head', () => {
    const { keep, find, chain } = desk()
    keep('eth_gasPrice', [], resultOf('0x1'))
    expect(find('eth_gasPrice', [])).toBeDefined()
    chain.apply({ removed: [], added: [smallBlock(21)] })
    expect(find('eth_gasPrice', [])).toBeUndefined()
  })

  it.each([
    ['a number', 'eth_getBalance', [ADDRESS, '0x10'], '0x1'],
    ['a hash', 'eth_getBalance', [ADDRESS, { blockHash: smallHash(16) }], '0x1'],
    ['a block by its hash', 'eth_getBlockByHash', [smallHash(16), false], { number: '0x10', hash: smallHash(16) }],
    ['a transaction', 'eth_getTransactionByHash', [smallHash(1)], { blockNumber: '0x10', blockHash: smallHash(16) }],
  ])('forgets answers about disconnected blocks: %s', (_what, name, params, result) => {
    const { keep, find, lose } = desk()
    keep(name, params, resultOf(result))
    expect(find(name, params)).toBeDefined()
    lose(16)
    expect(find(name, params)).toBeUndefined()
  })

  it('does not reuse an answer when its block is connected again', () => {
    const { keep, find, cache, chain } = desk()
    keep('eth_getBalance', [ADDRESS, '0x14'], resultOf('0x1'))
    const other = reorg(chain, 20, 1)
    cache.onChange(other)
    const back = { removed: other.added.toReversed(), added: other.removed.toReversed() }
    chain.apply(back)
    cache.onChange(back)
    expect(find('eth_getBalance', [ADDRESS, '0x14'])).toBeUndefined()
  })

  it('keeps what is final through reorganizations', () => {
    const { keep, find, lose } = desk()
    keep('eth_getBalance', [ADDRESS, '0xa'], resultOf('0x1'))
    keep('eth_getTransactionReceipt', [smallHash(1)], resultOf({ blockNumber: '0xa', blockHash: smallHash(10) }))
    lose(11)
    expect(find('eth_getBalance', [ADDRESS, '0xa'])).toBeDefined()
    expect(find('eth_getTransactionReceipt', [smallHash(1)])).toBeDefined()
  })

  it('keeps what has become final since', () => {
    const { keep, find, lose, chain } = desk()
    keep('eth_getTransactionReceipt', [smallHash(1)], resultOf({ blockNumber: '0xb', blockHash: smallHash(11) }))
    chain.finalize({ finalized: 11 })
    expect(find('eth_getTransactionReceipt', [smallHash(1)])).toBeDefined()
    lose(12)
    expect(find('eth_getTransactionReceipt', [smallHash(1)])).toBeDefined()
  })

  it.each([
    ['reset', (chain: FollowedChain) => ({ removed: [], added: [smallBlock(3, 9)], resetFrom: [smallBlock(2, 9)], chain })],
    ['set back', (chain: FollowedChain) => reorg(chain, 9, 9)],
  ])('forgets final answers too when the chain is %s', (_how, change) => {
    const { keep, find, chain, cache } = desk()
    keep('eth_getBalance', [ADDRESS, '0xa'], resultOf('0x1'))
    cache.onChange(change(chain))
    expect(cache.count).toBe(0)
    expect(find('eth_getBalance', [ADDRESS, '0xa'])).toBeUndefined()
  })

  it('counts how often blocks were disconnected', () => {
    const { cache, lose } = desk()
    lose(20)
    lose(7)
    expect(cache.losses).toBe(2)
  })

  it('tells of each final answer once, and of none that was stored', () => {
    const chain = shortChain(20, { finalized: 10 })
    const offered: [string, number][] = []
    const finals = { now: () => 7, offer: ({ key }: { key: string }, askedAt: number) => void offered.push([key, askedAt]) }
    const cache = new AnswerCache({ bytes: 1_000_000, entryBytes: 100_000 }, chain, finals)
    const ask = (name: string, ...params: unknown[]) => resolveCall({ method: methodNamed(name)!, params }, chain)
    const [final, open] = [ask('eth_getBalance', ADDRESS, '0x5'), ask('eth_getBlockByHash', smallHash(15), false)]
    cache.keep(final, resultOf('0x1'))
    cache.keep(open, resultOf({ number: '0xf', hash: smallHash(15) }))
    cache.find(final)
    expect(offered).toEqual([[final.key, 7]])
    expect([final, open].map(({ key }) => cache.finalAnswer(key)?.number)).toEqual([5, undefined])
    chain.finalize({ finalized: 15 })
    cache.find(open)
    cache.find(open)
    expect(offered).toEqual([final, open].map(({ key }) => [key, 7]))
    expect(cache.restore(ask('eth_getBalance', ADDRESS, '0x6'), resultOf('0x2'))).toMatchObject({ cached: true })
    expect(
      cache.restore(ask('eth_getBlockByHash', smallHash(14), false), resultOf({ number: '0xe', hash: smallHash(14, 9) })),
    ).toBeUndefined()
    expect(offered).toHaveLength(2)
  })

  it('keeps no answer requested before blocks were disconnected', () => {
    const { ask, cache, lose, chain } = desk()
    const questions = [ask('eth_getBalance', [ADDRESS, 'latest']), ask('eth_gasPrice', []), ask('eth_getBalance', [ADDRESS, smallHash(20)])]
    lose(20)
    for (const question of questions) cache.keep(question, resultOf('0x1'))
    expect(cache.count).toBe(0)
    cache.keep(resolveCall(questions[0]!, chain), resultOf('0x1'))
    expect(cache.count).toBe(1)
  })

  it.each([
    ['eth_getBlockByNumber', ['0x14', false], { number: '0x14', hash: smallHash(20, 5) }],
    ['eth_getBlockReceipts', ['0x14'], [{ blockNumber: '0x14', blockHash: smallHash(20, 5) }]],
    ['eth_getTransactionByHash', [smallHash(1)], { blockNumber: '0x14', blockHash: smallHash(20, 5) }],
    ['eth_getTransactionByHash', [smallHash(1)], { blockNumber: '0x15', blockHash: smallHash(21) }],
    ['eth_getTransactionByHash', [smallHash(1)], { blockNumber: null, blockHash: null }],
    ['eth_getTransactionByHash', [smallHash(1)], { blockNumber: '0x8', blockHash: smallHash(8, 5) }],
    ['eth_getBlockByHash', [smallHash(21), false], { number: '0x15', hash: smallHash(21) }],
  ])('keeps nothing about a branch that is not ours or not known yet: %s %j', (name, params, result) => {
    const { keep, cache } = desk()
    keep(name, params, resultOf(result))
    expect(cache.count).toBe(0)
  })

  it('keeps the logs of many blocks', () => {
    const { keep, find } = desk()
    const logs = [12, 13].map((number) => ({ blockNumber: `0x${number.toString(16)}`, blockHash: smallHash(number) }))
    keep('eth_getLogs', [{ fromBlock: '0x1' }], resultOf(logs))
    expect(find('eth_getLogs', [{ fromBlock: '0x1' }])).toBeDefined()
  })

  it('keeps an answer that names an old block whose hash is unknown here', () => {
    const { keep, find } = desk()
    const unknown = `0x${'77'.repeat(32)}`
    keep('eth_getBlockByHash', [unknown, false], resultOf({ hash: unknown, number: '0x2' }))
    keep('eth_getLogs', [{ blockHash: unknown }], resultOf([{ blockHash: unknown, blockNumber: '0x2' }]))
    keep('eth_getLogs', [{ blockHash: unknown, address: ADDRESS }], resultOf([]))
    expect(find('eth_getBlockByHash', [unknown, false])).toBeDefined()
    expect(find('eth_getLogs', [{ blockHash: unknown }])).toBeDefined()
    expect(find('eth_getLogs', [{ blockHash: unknown, address: ADDRESS }])).toBeUndefined()
  })

  it('does not keep an answer about a block that has become old only since', () => {
    const { ask, find, cache, chain } = desk()
    const question = ask('eth_getTransactionReceipt', [smallHash(1)])
    for (let number = 21; number < 40; number++) chain.apply({ removed: [], added: [smallBlock(number)] })
    chain.finalize({ finalized: 39 })
    cache.keep(question, resultOf({ blockNumber: '0x14', blockHash: smallHash(20, 5) }))
    expect(find('eth_getTransactionReceipt', [smallHash(1)])).toBeUndefined()
  })

  it('stays within its bytes, and keeps no large answers', () => {
    const { keep, find, cache } = desk({ bytes: 20_000, entryBytes: 2000 })
    keep('eth_getCode', [ADDRESS, '0x1'], resultOf('x'.repeat(2000)))
    expect(cache.count).toBe(0)
    for (let slot = 0; slot < 100; slot++) keep('eth_getStorageAt', [ADDRESS, `0x${slot.toString(16)}`, '0x1'], resultOf('x'.repeat(1000)))
    expect(cache.bytes).toBeLessThanOrEqual(20_000)
    expect(cache.count).toBeGreaterThan(5)
    expect(find('eth_getStorageAt', [ADDRESS, '0x63', '0x1'])).toBeDefined()
    expect(find('eth_getStorageAt', [ADDRESS, '0x0', '0x1'])).toBeUndefined()
  })

  it.each([
    ['of it alone', ['a'], 'a', false],
    ['of others, too: they were joined', ['a', 'b'], 'b', false],
    ['of another', ['b'], 'a', true],
    ['that several agreed on', undefined, 'a', true],
  ])('forgets what an upstream has answered that was found to lie, final or not: %s', (_, by, liar, isKept) => {
    const { keep, find, cache } = desk()
    const blocks = ['0x5', '0x13']
    for (const block of blocks) keep('eth_getBalance', [ADDRESS, block], { ...resultOf('0x1'), by })
    cache.forgetAnswersOf(liar)
    for (const block of blocks) expect(find('eth_getBalance', [ADDRESS, block]) !== undefined).toBe(isKept)
    for (const block of blocks) keep('eth_getBalance', [ADDRESS, block], { ...resultOf('0x2'), by })
    cache.forgetAnswersOf('another')
    for (const block of blocks) expect(find('eth_getBalance', [ADDRESS, block])).toBeDefined()
  })

  it('does not retain a large buffer for a small slice', () => {
    const { keep, find } = desk()
    const large = Buffer.alloc(1_000_000, 'x')
    keep('eth_getBalance', [ADDRESS, '0x1'], { member: 'result', json: large.subarray(10, 20) })
    const kept = find('eth_getBalance', [ADDRESS, '0x1'])
    expect(kept?.json.toString()).toBe('x'.repeat(10))
    expect(kept?.json.buffer.byteLength).toBe(10)
  })
})

function desk(limits = { bytes: 1_000_000, entryBytes: 100_000 }) {
  const chain = shortChain(20, { safe: 15, finalized: 10, known: 15 })
  const cache = new AnswerCache(limits, chain)
  const ask = (name: string, params: readonly unknown[]) => resolveCall({ method: methodNamed(name)!, params }, chain)
  return {
    chain,
    cache,
    ask,
    keep: (name: string, params: readonly unknown[], outcome: CallOutcome) => cache.keep(ask(name, params), outcome),
    find: (name: string, params: readonly unknown[]) => cache.find(ask(name, params)),
    lose: (from: number) => cache.onChange(reorg(chain, from, 3)),
  }
}

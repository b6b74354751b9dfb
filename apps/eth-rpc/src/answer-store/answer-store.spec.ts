import { jest } from '@jest/globals'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { SimSharedState } from '../../test/simulation/sim-shared-state.js'
import { reorg, shortChain, smallHash } from '../../test/small-chain.js'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { AnswerCache } from '../cache/answer-cache.js'
import { type ResolvedCall, resolveCall } from '../cache/resolved-call.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { methodNamed } from '../methods/method.js'
import { AnswerStore } from './answer-store.engine.js'
import type { AnswerStoreRepository } from './answer-store.repository.js'
import { AnswerStoreHealth } from './answer-store-health.engine.js'

const ADDRESS = `0x${'ab'.repeat(20)}`
const ANSWER = { ...resultOf('0x1'), by: ['n1'] }
const HOLD_MS = 10_000

let now = 0
beforeEach(() => {
  now = 1_000_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => jest.restoreAllMocks())

describe(AnswerStore, () => {
  it('gives another process what was kept for ten seconds, and not before', async () => {
    const shared = new SimSharedState()
    const [one, other] = [await open({ shared }), await open({ shared })]
    one.keep(5, ANSWER)
    await one.pass(HOLD_MS - 1)
    expect(await other.find(5)).toBeUndefined()
    await one.pass(1)
    expect(await other.find(5)).toMatchObject(ANSWER)
    expect(await other.find(6)).toBeUndefined()
    expect(await other.metric('answer_store_reads_total')).toMatchObject({ hit: 1, miss: 2 })
  })

  it('stores what becomes final, as long ago as it was asked', async () => {
    const { keep, cache, pass, shared, chain } = await open()
    const receipt = resolveCall({ method: methodNamed('eth_getTransactionReceipt')!, params: [smallHash(1)] }, chain)
    cache.keep(receipt, { ...resultOf({ transactionHash: smallHash(1), blockNumber: '0x3c', blockHash: smallHash(60) }), by: ['n1'] })
    await pass(HOLD_MS)
    expect(shared.answersStored).toBe(0)
    chain.finalize({ finalized: 60 })
    expect(cache.find(receipt)).toBeDefined()
    await pass(0)
    expect(shared.answersStored).toBe(1)
    await shared.answers.distrust('n1')
    keep(5, ANSWER)
    await pass(HOLD_MS)
    expect(shared.answersStored).toBe(2)
  })

  it('stores nothing of an upstream that is found to lie meanwhile, and shows nothing that others have stored of it', async () => {
    const shared = new SimSharedState()
    const [one, other] = [await open({ shared }), await open({ shared })]
    other.keep(5, ANSWER)
    await other.pass(HOLD_MS)
    one.keep(6, ANSWER)
    one.keep(7, { ...ANSWER, by: ['n2'] })
    await one.pass(HOLD_MS - 1)
    one.cache.forgetAnswersOf('n1')
    one.store.distrust('n1')
    // Nobody else knows yet.
    expect(await one.find(5)).toBeUndefined()
    await one.pass(1)
    // That of n2.
    expect(shared.answersStored).toBe(1)
    expect(await other.find(5)).toBeUndefined()
    expect(await other.find(7)).toBeDefined()
  })

  it.each([
    ['of another deployment', { secret: 'other' }],
    ['of another chain id', { chainId: 2 }],
  ])('finds nothing %s in the same tables', async (_, of) => {
    const shared = new SimSharedState()
    const [one, other] = [await open({ shared }), await open({ shared, ...of })]
    one.keep(5, ANSWER)
    await one.pass(HOLD_MS)
    expect(await other.find(5)).toBeUndefined()
  })

  it('shows nothing, and stores nothing, once the chain was set back below what was final, until it is known again', async () => {
    const { keep, pass, find, store, cache, chain, shared, mayHave } = await open()
    keep(30, ANSWER)
    await pass(HOLD_MS)
    keep(31, ANSWER)
    expect(await find(30)).toBeDefined()
    const change = reorg(chain, 20, 3)
    cache.onChange(change)
    store.onChange(change)
    expect(mayHave(5)).toBe(false)
    await pass(HOLD_MS)
    expect(shared.answersStored).toBe(1)
    // It is another one above block 19.
    expect(mayHave(5)).toBe(true)
    expect(await find(30)).toBeUndefined()
  })

  it('goes on through a reorganization of what is not final', async () => {
    const { keep, pass, find, store, chain } = await open()
    keep(5, ANSWER)
    await pass(HOLD_MS)
    store.onChange(reorg(chain, 60, 3))
    expect(await find(5)).toBeDefined()
  })

  it('is not asked about new blocks, about what may change, nor again for what it just lacked', async () => {
    const { mayHave, find, chain } = await open()
    expect([5, 48, 49, 60].map((number) => mayHave(number))).toEqual([true, true, false, false])
    expect(mayHave(resolveCall({ method: methodNamed('eth_gasPrice')!, params: [] }, chain))).toBe(false)
    const receipt = resolveCall({ method: methodNamed('eth_getTransactionReceipt')!, params: [smallHash(1)] }, chain)
    expect(mayHave(receipt)).toBe(true)
    expect(await find(receipt)).toBeUndefined()
    expect(mayHave(receipt)).toBe(false)
  })

  it('is left alone for a while after a failure, and says so once', async () => {
    const lines: string[] = []
    const { find, mayHave, shared, pass, metric } = await open({ log: (line) => void lines.push(line) })
    const list = jest.spyOn(shared.answers, 'list').mockRejectedValue(new Error('away'))
    expect(await find(5)).toBeUndefined()
    expect(mayHave(5)).toBe(false)
    now += 1_000
    expect(mayHave(5)).toBe(true)
    expect(await find(5)).toBeUndefined()
    now += 1_999
    expect(mayHave(5)).toBe(false)
    now += 1
    list.mockRestore()
    expect(await find(5)).toBeUndefined()
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['stored answers are not used'])
    await pass(30_000)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['stored answers are not used', 'stored answers are used again'])
    expect(await metric('answer_store_reads_total')).toMatchObject({ failed: 2, miss: 1 })
  })

  it('does nothing at all where it is off', async () => {
    const { mayHave, pass, shared, keep } = await open({ megabytes: 0 })
    const find = jest.spyOn(shared.answers, 'findChain')
    keep(5, ANSWER)
    await pass(HOLD_MS)
    expect(mayHave(5)).toBe(false)
    expect(find).not.toHaveBeenCalled()
  })

  it('stores what fits only: no text that Postgres lacks, nothing large', async () => {
    const { keep, pass, shared, metric } = await open({ megabytes: 16 })
    keep(1, { member: 'result', json: Buffer.from('"\u0000"') })
    keep(2, { member: 'result', json: Buffer.from([0x22, 0xff, 0x22]) })
    keep(3, { member: 'result', json: Buffer.alloc(600_000, 'x') })
    keep(4, { member: 'result', json: Buffer.alloc(500_000, 'x') })
    await pass(HOLD_MS)
    expect(shared.answersStored).toBe(1)
    expect(await metric('answer_store_dropped_total')).toEqual({ large: 1 })
  })
})

interface Settings {
  readonly shared?: SimSharedState
  readonly secret?: string
  readonly chainId?: number
  readonly megabytes?: number
  readonly log?: (line: string) => void
}

/** A process with 64 blocks, of which 50 are final. */
async function open({
  shared = new SimSharedState(),
  secret = 'secret',
  chainId = 1,
  megabytes = 64,
  log = () => undefined,
}: Settings = {}) {
  const chain = shortChain(64, { finalized: 50 })
  const metrics = new Metrics()
  const upstreams = new FakeHeadFeed(['n1', 'n2']).upstreams
  const feed = Object.assign(Object.create(FakeHeadFeed.prototype), { upstreams })
  Object.defineProperty(feed, 'chain', { value: chain })
  const health = new AnswerStoreHealth(createLogger('eth', 'info', { write: log }), metrics)
  const env = { ANSWER_STORE_MB: megabytes, CHAIN_ID: chainId, NATS_NKEY_SEED: secret }
  const store = new AnswerStore(shared.answers as unknown as AnswerStoreRepository, feed, health, env)
  const cache = new AnswerCache({ bytes: 10_000_000, entryBytes: 2_000_000 }, chain, store)
  const genesis = { call: async () => resultOf({ number: '0x0', hash: smallHash(0) }) }
  store.start(cache, { of: () => genesis })
  await store.work()
  const balanceAt = (number: number) => ({ method: methodNamed('eth_getBalance')!, params: [ADDRESS, `0x${number.toString(16)}`] })
  const question = (about: number | ResolvedCall) => (typeof about === 'number' ? resolveCall(balanceAt(about), chain) : about)
  const pass = async (ms: number) => {
    now += ms
    await store.work()
  }
  return {
    ...{ shared, chain, store, cache, pass },
    keep: (about: number, outcome: CallOutcome) => cache.keep(question(about), outcome),
    find: (about: number | ResolvedCall) => store.find(question(about)),
    mayHave: (about: number | ResolvedCall) => store.mayHave(question(about)),
    async metric(name: string): Promise<Record<string, number>> {
      const { values } = await metrics.registry.getSingleMetric(name)!.get()
      return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels)[0], value]))
    },
  }
}

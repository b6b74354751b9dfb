import { type EthRpcSchema, ethRpcSchema } from '../../../test/eth-rpc-schema.js'
import { untilTrue } from '../../../test/heads/tracked.js'
import { FakeHeadFeed } from '../../../test/upstreams/fake-head-feed.js'
import { hangs, refuses, ScriptedNode, says } from '../../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../../test/upstreams/upstreams.js'
import { transactionHash } from '../transaction-hash.js'
import type { UpstreamConfig } from '../upstream-config.js'
import { knownMethod } from '../upstream-request.js'
import { BudgetSync } from './budget-sync.engine.js'
import { BudgetsRepository } from './budgets.repository.js'

const CALL = { method: knownMethod('eth_call'), paramsJson: '[{},"0x64"]', block: 100 }
const RAW = '0x02f86c0180843b9aca0084b2d05e0082520894000000000000000000000000000000000000000080'
const NOON = Date.UTC(2026, 10, 24, 12)
const NOVEMBER = Date.UTC(2026, 10)

let schema: EthRpcSchema
let repository: BudgetsRepository
beforeAll(async () => {
  schema = await ethRpcSchema()
  repository = new BudgetsRepository(schema.pool)
})
afterAll(() => schema.drop())
beforeEach(() => schema.pool.query('TRUNCATE provider_spending'))

describe('an upstream with a budget', () => {
  let nodes: ScriptedNode[]
  let urls: string[]
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore> | undefined
  const [own, hosted] = [() => nodes[0]!, () => nodes[1]!]

  beforeEach(async () => {
    nodes = await Promise.all([ScriptedNode.start(says('0xa')), ScriptedNode.start(says('0xb'))])
    urls = nodes.map(({ url }) => url)
    feed = new FakeHeadFeed(['a', 'b'])
  })
  afterEach(() => {
    started?.close()
    for (const node of nodes) node.stop()
  })

  it('is asked for nothing while an own node can answer, whatever speaks for it', async () => {
    start({ perMonth: 10 }, { priority: 100, archive: true })
    feed.upstreams.set('b', { ...feed.upstreams.get('b')!, isPrimary: true })
    for (const needs of [{}, { archive: true }, { pending: true }]) await started!.upstreams.call({ ...CALL, ...needs })
    expect([own().received.length, hosted().received.length]).toEqual([3, 0])
  })

  it.each<[string, () => void]>([
    ['is away', () => own().stop()],
    ['lags behind', () => feed.upstreams.set('a', { ...feed.upstreams.get('a')!, head: 99 })],
    ['is on another branch', () => feed.upstreams.set('a', { ...feed.upstreams.get('a')!, isOnOurChain: false })],
    ['lacks the state', () => (own().script = refuses({ code: -32000, message: 'missing trie node 1234' }))],
    ['lacks the method', () => (own().script = refuses({ code: -32601, message: 'the method eth_call does not exist/is not available' }))],
  ])('answers where the own node %s', async (_, happens) => {
    start({ perMonth: 10 })
    happens()
    expect(await call()).toBe('0xb')
    expect(hosted().received).toHaveLength(1)
  })

  it('is not asked because the own node is slow, unless that takes two seconds', async () => {
    start({ perMonth: 10 })
    own().script = says('0xa', 900)
    expect(await call()).toBe('0xa')
    expect(hosted().received).toHaveLength(0)
    own().script = hangs()
    expect(await call()).toBe('0xb')
  })

  it('is not asked any more once the budget is used up, and again when it is raised', async () => {
    start({ perMonth: 2 })
    own().stop()
    expect([await call(), await call()]).toEqual(['0xb', '0xb'])
    const begun = performance.now()
    await expect(call()).rejects.toMatchObject({ message: expect.stringContaining('no upstream') })
    // Nobody waits for a month.
    expect(performance.now() - begun).toBeLessThan(1_500)
    expect(hosted().received).toHaveLength(2)
    started!.reconfigure(configs({ perMonth: 3 }))
    expect(await call()).toBe('0xb')
    await expect(call()).rejects.toThrow()
  })

  it('counts what a call costs', async () => {
    start({ perMonth: 10 }, { cost: 4 })
    own().stop()
    for (let count = 0; count < 3; count++) await call()
    await expect(call()).rejects.toThrow()
    expect(started!.budgets.get('b')?.used).toBe(12)
  })

  it('gets a transaction only where no own node has answered', async () => {
    start({ perMonth: 10 })
    for (const node of nodes) node.script = says(transactionHash(RAW))
    await started!.upstreams.broadcast(JSON.stringify([RAW]))
    expect(hosted().received).toHaveLength(0)
    own().stop()
    expect(await started!.upstreams.broadcast(JSON.stringify([RAW]))).toMatchObject({ member: 'result' })
    expect(hosted().received.map(({ method }) => method)).toEqual(['eth_sendRawTransaction'])
  })

  it('costs nothing to be known: a node without one is not counted', async () => {
    start(undefined)
    await call()
    expect(started!.budgets.all).toEqual([])
  })

  function configs(budget: { perMonth: number } | undefined, more: Partial<UpstreamConfig> = {}) {
    const usual = { archive: false, priority: 0 }
    return [
      { ...usual, name: 'a', url: urls[0]! },
      { ...usual, name: 'b', url: urls[1]!, ...more, ...(budget && { budget: { name: 'b', ...budget } }) },
    ]
  }

  function start(budget: { perMonth: number } | undefined, more: Partial<UpstreamConfig> = {}): void {
    started = upstreamsBefore(configs(budget, more), feed)
  }

  async function call(): Promise<unknown> {
    const { json } = await started!.upstreams.call(CALL)
    return JSON.parse(json.toString())
  }
})

describe('the spending of several processes', () => {
  const UPSTREAM = { name: 'hosted', url: 'http://127.0.0.1:1/', archive: false, priority: 0, budget: { name: 'b', perMonth: 10 } }
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  /** A process, and how it writes. */
  function begin(budgets: { write: BudgetsRepository['write']; sum: BudgetsRepository['sum'] } = repository) {
    const started = upstreamsBefore([UPSTREAM], new FakeHeadFeed([]))
    stops.push(started.close)
    const book = started.budgets
    const sync = new BudgetSync({ budgets: book } as never, budgets as BudgetsRepository)
    return { book, budget: book.get('b')!, sync, run: (now = NOON) => sync.run(now) }
  }

  it('counts over all of them, and over restarts', async () => {
    const [first, second] = [begin(), begin()]
    for (let count = 0; count < 4; count++) first.budget.count(1, NOON)
    for (let count = 0; count < 5; count++) second.budget.count(1, NOON)
    await first.run()
    await second.run()
    expect([first.budget.used, second.budget.used]).toEqual([4, 9])
    await first.run(NOON + 5_000)
    expect(first.budget.used).toBe(9)
    const restarted = begin()
    await restarted.run()
    expect([restarted.budget.used, restarted.budget.isSpent]).toEqual([9, false])
    restarted.budget.count(1, NOON)
    expect(restarted.budget.isSpent).toBe(true)
    await restarted.run()
    await second.run(NOON + 10_000)
    expect(second.budget.isSpent).toBe(true)
  })

  it('counts nothing twice where the answer to a write is lost', async () => {
    let isLost = true
    const write = async (spent: Parameters<BudgetsRepository['write']>[0]) => {
      await repository.write(spent)
      if (isLost) throw new Error('the connection was lost')
    }
    const { budget, run } = begin({ write, sum: (query) => repository.sum(query) })
    budget.count(3, NOON)
    await expect(run()).rejects.toThrow('lost')
    isLost = false
    await run()
    expect(await total()).toBe(3)
  })

  it('goes on by what it knows while Postgres is away', async () => {
    const other = begin()
    other.budget.count(6, NOON)
    await other.run()
    const away = () => Promise.reject(new Error('Postgres is away'))
    let isAway = false
    const { budget, run } = begin({
      write: (spent) => (isAway ? away() : repository.write(spent)),
      sum: (query) => (isAway ? away() : repository.sum(query)),
    })
    await run()
    isAway = true
    budget.count(4, NOON)
    await expect(run()).rejects.toThrow('away')
    expect([budget.used, budget.isSpent]).toEqual([10, true])
    isAway = false
    await run()
    expect(await total()).toBe(10)
  })

  it('does not forget what it knew when a backup is restored', async () => {
    const [first, second] = [begin(), begin()]
    first.budget.count(4, NOON)
    await first.run()
    second.budget.count(5, NOON)
    await second.run()
    await schema.pool.query('TRUNCATE provider_spending')
    second.budget.count(1, NOON)
    await second.run()
    expect([second.budget.used, second.budget.isSpent]).toEqual([10, true])
    // Within the hour each has written all of its own again.
    await first.run(NOON + 3_600_000)
    expect(await total()).toBe(10)
  })

  it('begins again with the month of UTC, whatever the time zone of the session', async () => {
    await schema.pool.query("ALTER ROLE current_user SET timezone = 'Pacific/Auckland'")
    const last = Date.UTC(2026, 11) - 1
    const { budget, run } = begin()
    budget.count(10, last)
    await run(last)
    expect(budget.isSpent).toBe(true)
    await run(last + 1)
    expect([budget.isSpent, budget.used]).toEqual([false, 0])
    budget.count(2, last + 2)
    await run(last + 2)
    const { rows } = await schema.pool.query('SELECT month::text, units FROM provider_spending ORDER BY month')
    expect(rows).toEqual([
      { month: '2026-11-01', units: 10 },
      { month: '2026-12-01', units: 2 },
    ])
    await schema.pool.query('ALTER ROLE current_user RESET timezone')
  })

  it('writes what the primary process has spent, once, though several workers do', async () => {
    const workers = [begin(), begin()]
    for (const { book, run } of workers) {
      book.adopt('00000000-0000-4000-8000-000000000001', [{ budget: 'b', month: NOVEMBER, units: 7 }])
      await run()
    }
    workers[0]!.budget.count(1, NOON)
    for (const { run } of workers) await run(NOON + 5_000)
    expect([await total(), workers[0]!.budget.used, workers[1]!.budget.used]).toEqual([8, 8, 8])
    expect(workers[0]!.sync.usedBeside('00000000-0000-4000-8000-000000000001', NOON)).toEqual([{ budget: 'b', month: NOVEMBER, units: 1 }])
  })

  it('adds up the rows of processes that are gone, and keeps those that are there', async () => {
    const processes = [begin(), begin(), begin()]
    for (const { budget, run } of processes) {
      budget.count(2, NOON)
      await run()
    }
    const aside = processes.slice(0, 2).map(({ book }) => book.process)
    await schema.pool.query("UPDATE provider_spending SET written_at = now() - interval '3 days' WHERE process = ANY($1)", [aside])
    const tidy = () => repository.tidy({ silentSince: new Date(Date.now() - 2 * 86_400_000), oldestMonth: new Date(NOVEMBER) })
    await Promise.all([tidy(), tidy()])
    const { rows } = await schema.pool.query('SELECT units FROM provider_spending ORDER BY units')
    expect(rows.map(({ units }) => units)).toEqual([2, 4])
    await repository.tidy({ silentSince: new Date(0), oldestMonth: new Date(Date.UTC(2026, 11)) })
    expect(await total()).toBe(0)
  })

  it('writes at most a second late, and not while nothing is spent', async () => {
    let writes = 0
    const write = async (spent: Parameters<BudgetsRepository['write']>[0]) => {
      writes++
      await repository.write(spent)
    }
    const { budget, run } = begin({ write, sum: (query) => repository.sum(query) })
    for (let second = 0; second < 10; second++) await run(NOON + second * 1000)
    expect(writes).toBe(0)
    budget.count(1, NOON)
    for (let second = 0; second < 10; second++) await run(NOON + second * 1000)
    expect(writes).toBe(1)
    await untilTrue(async () => (await total()) === 1)
  })

  async function total(): Promise<number> {
    const { rows } = await schema.pool.query<{ total: number }>('SELECT coalesce(sum(units), 0)::float8 AS total FROM provider_spending')
    return rows[0]?.total ?? 0
  }
})

import type { Transaction } from '@trestle/bitcoin/transaction'
import fc from 'fast-check'
import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

// Chains made at random, and every list of them held against a history that was put together another way.

const SCRIPTS = ['ada', 'bob', 'eve', 'dan'].map(scriptOf)

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
})

afterAll(() => api.stop())

interface Payment {
  /** Which of the outputs that are left it spends. */
  readonly spends: number
  readonly to: readonly number[]
}

const payment = fc.record({ spends: fc.nat(1000), to: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }) })
const blocks = fc.array(fc.array(payment, { maxLength: 12 }), { minLength: 1, maxLength: 8 })
const world = fc.record({ blocks, mempool: fc.array(payment, { maxLength: 15 }) })

const OPTIONS = { numRuns: 12 }

describe('the pages of a history', () => {
  it('are together the history, each entry once, the mempool first', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const chain = built(given.blocks, given.mempool)
        await api.seed(chain)
        for (const script of SCRIPTS) {
          const history = chain.historyOf(script)
          const address = addressTo(script)
          expect((await api.get(`/addr/${address}`)).body.transactions).toEqual(history)
          expect(await idPages(address, 3)).toEqual(history)
          expect(await wholePages(address)).toEqual(history)
        }
      }),
      OPTIONS,
    )
  })

  it('of several addresses have each transaction once', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.uniqueArray(fc.nat(3), { minLength: 1 }), async (given, chosen) => {
        const chain = built(given.blocks, given.mempool)
        await api.seed(chain)
        const scripts = chosen.map((index) => SCRIPTS[index]!)
        expect(await mergedPages(scripts.map(addressTo), 7)).toEqual(chain.historyOf(...scripts))
      }),
      OPTIONS,
    )
  })

  it('agree with the totals of the address', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const chain = built(given.blocks, given.mempool)
        await api.seed(chain)
        for (const script of SCRIPTS) {
          const { body } = await api.get(`/addr/${addressTo(script)}`)
          expect(body.txApperances + body.unconfirmedTxApperances).toBe(body.transactions.length)
          expect(body.balanceSat).toBe(body.totalReceivedSat - body.totalSentSat)
          const outputs: { satoshis: number }[] = (await api.get(`/addr/${addressTo(script)}/utxo`)).body
          expect(outputs.reduce((sum, { satoshis }) => sum + satoshis, 0)).toBe(body.balanceSat + body.unconfirmedBalanceSat)
        }
      }),
      OPTIONS,
    )
  })
})

describe('a page', () => {
  it('stays the same when counted from the oldest, while blocks arrive', async () => {
    const chain = new SeededChain()
    for (let i = 0; i < 25; i++) chain.mine({ payTo: { script: SCRIPTS[0]!, value: 1n } })
    await api.seed(chain)
    const address = addressTo(SCRIPTS[0]!)
    const before = (await api.get(`/txs?address=${address}&pageNum=2`)).body.txs
    for (let i = 0; i < 10; i++) chain.mine({ payTo: { script: SCRIPTS[0]!, value: 1n } })
    await api.seed(chain)
    const after = (await api.get(`/txs?address=${address}&pageNum=3`)).body.txs
    expect(after.map(idOf)).toEqual(before.map(idOf))
  })
})

/** Every payment spends one of the outputs that are left, the mempool's those of the mempool as well. */
function built(blocks: readonly (readonly Payment[])[], mempool: readonly Payment[]): SeededChain {
  const chain = new SeededChain()
  const left: { txid: Buffer; vout: number; value: bigint }[] = []
  const pay = ({ spends, to }: Payment): Transaction => {
    const [spent] = left.splice(spends % left.length, 1)
    const share = spent!.value / BigInt(to.length)
    return keep(
      chain.transaction(
        [spent!],
        to.map((index) => ({ script: SCRIPTS[index]!, value: share })),
      ),
    )
  }
  const keep = (transaction: Transaction): Transaction => {
    left.push(...transaction.outputs.map(({ value }, vout) => ({ txid: transaction.txid, vout, value })))
    return transaction
  }
  keep(chain.mine({ payTo: { script: SCRIPTS[0]!, value: 5_000_000_000n } }).transactions[0]!)
  for (const payments of blocks) {
    const transactions = payments.map(pay)
    keep(chain.mine({ payTo: { script: SCRIPTS[1]!, value: 5_000_000_000n }, transactions }).transactions[0]!)
  }
  for (const payment of mempool) chain.announce(pay(payment))
  return chain
}

function idOf({ txid }: { txid: string }): string {
  return txid
}

async function idPages(address: string, size: number): Promise<string[]> {
  const found: string[] = []
  for (let from = 0; ; from += size) {
    const page: string[] = (await api.get(`/addr/${address}?from=${from}&to=${from + size}`)).body.transactions
    if (page.length === 0) return found
    found.push(...page)
  }
}

async function wholePages(address: string): Promise<string[]> {
  const found: string[] = []
  for (let pageNum = 0; ; pageNum++) {
    const { pagesTotal, txs } = (await api.get(`/txs?address=${address}&pageNum=${pageNum}`)).body
    found.push(...txs.map(idOf))
    expect(txs.length > 0).toBe(pageNum < pagesTotal)
    if (txs.length === 0) return found
  }
}

async function mergedPages(addrs: readonly string[], size: number): Promise<string[]> {
  const found: string[] = []
  for (let from = 0; ; from += size) {
    const { body, headers } = await api.post('/addrs/txs', { addrs, from, to: from + size })
    const page = (await api.get(`/addrs/${addrs}/txs?from=${from}&to=${from + size}&noAsm=1`)).body
    expect(page.items.map(idOf)).toEqual(body.map(idOf))
    expect(String(page.totalItems)).toBe(headers.get('x-total-count'))
    if (body.length === 0) return found
    found.push(...body.map(idOf))
    expect(found.length <= page.totalItems).toBe(true)
  }
}

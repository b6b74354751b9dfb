import fc from 'fast-check'
import { ModelNode } from '../../test/model-node.js'
import type { CallOutcome } from '../framing/outcome.js'
import { type ChainBlock, type ChainChange, FollowedChain } from '../heads/followed-chain.js'
import { methodNamed } from '../methods/method.js'
import { AnswerCache } from './answer-cache.js'
import { type ResolvedCall, resolveCall } from './resolved-call.js'

const TRANSACTIONS = [1, 2, 3, 4].map((id) => `0x${id.toString().repeat(64)}`)
const ADDRESSES = [`0x${'aB'.repeat(20)}`, `0x${'Ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
// Fewer than the model's blocks: some questions are about blocks that are not known any more.
const KNOWN = 6

type Step =
  | { do: 'mine'; transactions: string[] }
  | { do: 'reorganize'; depth: number; transactions: string[] }
  | { do: 'set back'; depth: number }
  | { do: 'finalize'; depth: number }
  | { do: 'hear' }
  | { do: 'ask'; name: string; at: number; which: number; form: number; slowly: boolean }
  | { do: 'settle' }

const some = fc.subarray(TRANSACTIONS)
const depth = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const), transactions: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reorganize' as const), depth, transactions: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set back' as const), depth: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finalize' as const), depth }) },
  { weight: 5, arbitrary: fc.constant({ do: 'hear' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  {
    weight: 15,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      name: fc.constantFrom(
        ...['eth_gasPrice', 'eth_getBalance', 'eth_call', 'eth_getLogs', 'eth_getBlockByNumber', 'eth_getBlockByHash'],
        ...['eth_getBlockReceipts', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'],
        ...['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'],
      ),
      at: fc.nat(9),
      which: fc.nat(11),
      form: fc.nat(5),
      slowly: fc.boolean(),
    }),
  },
)

describe('a cached answer', () => {
  it('equals that of a node at our head, whatever the chain does', () => {
    let found = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
        const world = new World()
        for (const one of steps) world.take(one)
        found += world.found
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    )
    // It is about answers that were found.
    expect(found).toBeGreaterThan(400)
  })
})

/** A node, the chain we know, and the cache. */
class World {
  found = 0
  private node = ModelNode.first
  /** What the node knew when it last reported. */
  private moments = [this.node]
  private nonce = 0
  private readonly chain = new FollowedChain(KNOWN)
  private readonly cache = new AnswerCache({ bytes: 1_000_000, entryBytes: 100_000 }, this.chain)
  private flights: { question: ResolvedCall; answered?: CallOutcome }[] = []

  constructor() {
    this.hear()
  }

  take(step: Step): void {
    const { head, finalized } = this.node
    if (step.do === 'mine') this.become(this.node.withBlock(head + 1, step.transactions, this.nonce++))
    if (step.do === 'reorganize')
      this.become(this.node.withBlock(Math.max(finalized, head - step.depth) + 1, step.transactions, this.nonce++))
    if (step.do === 'finalize') this.become(this.node.withFinal(head - step.depth))
    if (step.do === 'set back') this.setBack(Math.max(1, head - step.depth))
    if (step.do === 'hear') this.hear()
    if (step.do === 'settle') this.settle()
    if (step.do === 'ask') this.ask(step)
  }

  private become(node: ModelNode): void {
    this.node = node
    this.moments.push(node)
  }

  /** A developer sets the chain back under what was final while no question is open. */
  private setBack(height: number): void {
    this.settle()
    this.become(this.node.withBlock(height, [], this.nonce++))
    this.hear()
  }

  private hear(): void {
    const blocks = this.node.blocks.map((block): ChainBlock => ({ ...block, header: '{}', receivedAt: 0 }))
    const known = this.chain.blocks()
    const common = known.findLast(({ number, hash }) => blocks[number]?.hash === hash)
    const change: ChainChange = common
      ? { removed: known.filter(({ number }) => number > common.number).toReversed(), added: blocks.slice(common.number + 1) }
      : { removed: [], added: blocks.slice(-1), resetFrom: blocks.slice(-KNOWN, -1) }
    this.chain.apply(change)
    this.chain.finalize({ finalized: this.node.finalized })
    this.cache.onChange(change)
    this.moments = [this.node]
  }

  private ask({ name, at, which, form, slowly }: Step & { do: 'ask' }): void {
    const params = this.paramsOf(name, { at, which, form })
    const question = resolveCall({ method: methodNamed(name)!, params }, this.chain)
    const found = this.cache.find(question)
    if (found) {
      this.found++
      const right = this.moments.map((moment) => textOf(moment.answer({ name, params })))
      expect(right).toContain(textOf(found))
      return
    }
    const flight = { question, answered: this.answered(question) }
    if (slowly) this.flights.push(flight)
    else this.cache.keep(question, flight.answered)
  }

  /** Of what is asked slowly, half is answered at once and half at the end. */
  private settle(): void {
    for (const [index, { question, answered }] of this.flights.entries()) {
      this.cache.keep(question, index % 2 === 0 && answered ? answered : this.answered(question))
    }
    this.flights = []
  }

  private answered({ method, paramsJson }: ResolvedCall): CallOutcome {
    return this.node.answer({ name: method.name, params: JSON.parse(paramsJson) })
  }

  private paramsOf(name: string, { at, which, form }: { at: number; which: number; form: number }): unknown[] {
    if (name === 'eth_gasPrice') return []
    if (name.startsWith('eth_getTransaction')) return [TRANSACTIONS[which % TRANSACTIONS.length]]
    // One more than there is: the next block.
    const number = Math.max(0, this.node.head + 1 - at)
    const quantity = `0x${number.toString(16)}`
    const hash = this.node.blocks[number]?.hash ?? `0x${'9'.repeat(64)}`
    if (name.endsWith('ByHash')) return [hash, false]
    if (name === 'eth_getLogs') {
      return [form === 0 ? { blockHash: hash } : { fromBlock: `0x${Math.max(0, number - form).toString(16)}`, toBlock: quantity }]
    }
    const block = [quantity, 'latest', 'finalized', hash, { blockHash: hash }, { blockNumber: quantity }][form]
    if (name === 'eth_getBlockReceipts') return [block]
    if (name.endsWith('ByNumber')) return [form < 3 ? block : 'earliest', false]
    const address = ADDRESSES[which % ADDRESSES.length]
    return [name === 'eth_call' ? { to: address, data: address } : address, ...(which < 3 ? [] : [block])]
  }
}

function textOf({ member, json }: CallOutcome): string {
  return `${member}:${json}`
}

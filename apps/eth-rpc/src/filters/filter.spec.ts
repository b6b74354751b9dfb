import fc from 'fast-check'
import { type ChainBlock, type ChainChange, FollowedChain } from '../heads/followed-chain.js'
import { after, type FilterState, startAt, stepFrom } from './filter.js'

// Two processes follow one chain, one of them behind the other, and a filter is asked of either in turn.

type Move =
  | { readonly does: 'grow' | 'reorganise'; readonly blocks: number }
  | { readonly does: 'catch-up' }
  | { readonly does: 'ask'; readonly of: 0 | 1 }

const moves = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('grow' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ does: fc.constant('reorganise' as const), blocks: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ does: fc.constant('catch-up' as const) }),
    fc.record({ does: fc.constant('ask' as const), of: fc.constantFrom(0 as const, 1 as const) }),
  ),
  { maxLength: 60 },
)

describe(stepFrom, () => {
  it('reports every block once and removes disconnected ones, whichever process is asked', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const world = new World()
        for (const move of all) world.do(move)
        world.do({ does: 'ask', of: 0 })
        expect(world.told.map(({ hash }) => hash)).toEqual(world.chain().map(({ hash }) => hash))
      }),
    )
  })

  it('reports nothing while this process is behind the one that reported last', () => {
    const world = new World()
    world.do({ does: 'grow', blocks: 2 })
    world.do({ does: 'ask', of: 0 })
    expect(stepFrom(world.state, world.views[1])).toBeUndefined()
  })

  it('reports removed logs of disconnected blocks while it has room for them', () => {
    const world = new World()
    world.logsOf = ({ number }) => [`"${'x'.repeat(300 * 1024)}${number}"`]
    for (const move of [
      { does: 'grow', blocks: 2 },
      { does: 'ask', of: 0 },
      { does: 'reorganise', blocks: 2 },
    ] as const)
      world.do(move)
    const removed = stepFrom(world.state, world.views[0])?.removed
    // There is room for the logs of one block, and it is the newest.
    expect(removed?.map(({ logs }) => logs.length)).toEqual([1, 0])
  })

  it('drops what is final', () => {
    const world = new World()
    world.finalized = 5
    world.do({ does: 'grow', blocks: 8 })
    world.do({ does: 'ask', of: 0 })
    expect(world.state.told.map(({ number }) => number)).toEqual([6, 7, 8])
  })
})

class World {
  readonly views = [new FollowedChain(), new FollowedChain()] as const
  readonly told: { hash: string }[] = []
  state: FilterState
  finalized = -1
  logsOf: (block: ChainBlock) => readonly string[] = () => []
  private readonly missed: ChainChange[] = []
  private made = 0

  constructor() {
    const first = this.block(undefined)
    for (const view of this.views) view.apply({ removed: [], added: [first], resetFrom: [] })
    this.state = startAt(first)
    this.told.push(first)
  }

  chain(): ChainBlock[] {
    return this.views[0].blocks()
  }

  do(move: Move): void {
    if (move.does === 'grow') this.change(0, move.blocks)
    // The first block stays: nothing is known under it.
    if (move.does === 'reorganise') this.change(Math.min(move.blocks, this.chain().length - 1), move.blocks)
    if (move.does === 'catch-up') for (const change of this.missed.splice(0)) this.views[1].apply(change)
    if (move.does === 'ask') this.ask(this.views[move.of])
  }

  private ask(view: FollowedChain): void {
    const step = stepFrom(this.state, view)
    if (!step) return
    for (const { hash } of step.removed) expect(this.told.pop()?.hash).toBe(hash)
    this.told.push(...step.added)
    this.state = after(this.state, step, this.logsOf, this.finalized)
  }

  private change(depth: number, blocks: number): void {
    const chain = this.chain()
    const removed = depth === 0 ? [] : chain.slice(-depth).reverse()
    const added: ChainBlock[] = []
    for (let i = 0; i < blocks; i++) added.push(this.block(added.at(-1) ?? chain.at(-1 - depth)))
    const change = { removed, added }
    this.views[0].apply(change)
    this.missed.push(change)
  }

  private block(parent: ChainBlock | undefined): ChainBlock {
    const hash = `0x${(++this.made).toString(16).padStart(64, '0')}`
    return { number: (parent?.number ?? -1) + 1, hash, parentHash: parent?.hash ?? '0x', header: '{}', receivedAt: 0 }
  }
}

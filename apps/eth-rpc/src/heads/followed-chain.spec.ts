import fc from 'fast-check'
import { type ChainBlock, type ChainChange, ChainGap, changeTo, FollowedChain } from './followed-chain.js'

describe(FollowedChain, () => {
  it('finds its blocks by number and by hash', () => {
    const chain = chainOf(block(5), block(6))
    expect(chain.head).toEqual(block(6))
    expect(chain.at(5)).toEqual(block(5))
    expect(chain.byHash('6')).toEqual(block(6))
    expect(chain.at(7)).toBeUndefined()
  })

  it('forgets the oldest', () => {
    const chain = chainOf(...Array.from({ length: 300 }, (_, number) => block(number)))
    expect(chain.blocks()).toHaveLength(256)
    expect(chain.at(43)).toBeUndefined()
    expect(chain.byHash('43')).toBeUndefined()
    expect(chain.at(44)).toBeDefined()
  })

  it.each([
    ['adds a block that does not follow', { removed: [], added: [block(8)] }],
    ['adds a block with another parent', { removed: [], added: [block(7, 'b', '6b')] }],
    ['removes another than the newest', { removed: [block(5)], added: [] }],
    ['removes everything', { removed: [block(6), block(5)], added: [] }],
  ])('refuses a change that %s, and stays unchanged', (_, change: ChainChange) => {
    const chain = chainOf(block(5), block(6))
    expect(() => chain.apply(change)).toThrow(ChainGap)
    expect(chain.blocks()).toEqual([block(5), block(6)])
  })

  it('can be restarted', () => {
    const chain = chainOf(block(5), block(6))
    chain.apply({ removed: [], added: [block(900)], resetFrom: [block(899)] })
    expect(chain.blocks()).toEqual([block(899), block(900)])
    expect(chain.byHash('6')).toBeUndefined()
  })
})

describe(changeTo, () => {
  it('finds the path to a known block', () => {
    expect(changeTo(chainOf(block(5), block(6), block(7)), [block(5)])).toEqual({ removed: [block(7), block(6)], added: [] })
  })

  it('asks for the parent of the oldest block until it is known', () => {
    const chain = chainOf(block(5), block(6))
    expect(changeTo(chain, [block(7, 'b', '6b')])).toBeUndefined()
    expect(changeTo(chain, [block(7, 'b', '6b'), block(6, 'b', '5')])).toEqual({
      removed: [block(6)],
      added: [block(6, 'b', '5'), block(7, 'b', '6b')],
    })
  })

  it('turns any announcements into changes that another chain can follow', () => {
    fc.assert(
      fc.property(tree(), fc.array(fc.nat(), { maxLength: 60 }), (blocks, picks) => {
        const chain = chainOf(blocks[0]!)
        const reported = [blocks[0]!]
        for (const pick of picks) {
          const announced = blocks[pick % blocks.length]!
          const change = follow(chain, announced, blocks)
          replay(reported, change)
          chain.apply(change)
          expect(chain.head).toEqual(announced)
          expect(reported).toEqual(pathTo(announced, blocks))
          expect(chain.blocks()).toEqual(reported)
        }
      }),
    )
  })
})

/** What whoever hears of the changes only would do; each block is removed once, after it was added. */
function replay(reported: ChainBlock[], { removed, added }: ChainChange): void {
  for (const gone of removed) expect(reported.pop()).toEqual(gone)
  for (const come of added) {
    expect(come.parentHash).toBe(reported.at(-1)?.hash)
    reported.push(come)
  }
}

function follow(chain: FollowedChain, head: ChainBlock, blocks: readonly ChainBlock[]): ChainChange {
  const branch = [head]
  for (;;) {
    const change = changeTo(chain, branch)
    if (change) return change
    branch.push(parentOf(branch.at(-1)!, blocks)!)
  }
}

function pathTo(head: ChainBlock, blocks: readonly ChainBlock[]): ChainBlock[] {
  const path: ChainBlock[] = []
  for (let at: ChainBlock | undefined = head; at; at = parentOf(at, blocks)) path.unshift(at)
  return path
}

function parentOf({ parentHash }: ChainBlock, blocks: readonly ChainBlock[]): ChainBlock | undefined {
  return blocks.find(({ hash }) => hash === parentHash)
}

/** Blocks on a common first one, each on any of those before it; mostly on a recent one, as chains grow. */
function tree(): fc.Arbitrary<ChainBlock[]> {
  const back = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }))
  return fc.array(back, { minLength: 1, maxLength: 40 }).map((backs) => {
    const blocks = [block(100)]
    for (const [index, steps] of backs.entries()) {
      const parent = blocks[Math.max(0, blocks.length - steps)]!
      blocks.push({ ...block(parent.number + 1), hash: `branch-${index}`, parentHash: parent.hash })
    }
    return blocks
  })
}

function chainOf(...blocks: ChainBlock[]): FollowedChain {
  const chain = new FollowedChain()
  chain.apply({ removed: [], added: blocks })
  return chain
}

function block(number: number, branch = '', parentHash = String(number - 1)): ChainBlock {
  return { number, hash: `${number}${branch}`, parentHash, header: '{}', receivedAt: 0 }
}

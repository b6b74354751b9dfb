import { jest } from '@jest/globals'
import type { FinalityRule } from '@trestle/contracts/chains/chain'
import { shortChain, smallBlock } from '../../test/small-chain.js'
import { FinalityWatch } from './finality-watch.engine.js'
import { type ChainBlock, FollowedChain } from './followed-chain.js'

type Reported = Partial<Record<'safe' | 'finalized', ChainBlock>>

let watch: FinalityWatch | undefined
beforeEach(() => jest.useFakeTimers())
afterEach(() => {
  watch?.stop()
  jest.useRealTimers()
})

describe(FinalityWatch, () => {
  it.each([
    ['instant', 9, 9],
    [{ depth: 4 }, 5, 5],
    [{ depth: 400 }, 0, 0],
  ] as const)('asks no node where finality is %j', async (finality, safe, finalized) => {
    const { chain, asked, refresh } = watching(finality, [{ safe: smallBlock(1), finalized: smallBlock(1) }])
    await refresh()
    expect([chain.safe, chain.finalized, asked.length]).toEqual([safe, finalized, 0])
  })

  it('believes the only upstream, up to its head', async () => {
    const { chain, refresh } = watching('beacon', [{ safe: smallBlock(99), finalized: smallBlock(4) }])
    await refresh()
    expect([chain.safe, chain.finalized]).toEqual([9, 4])
  })

  it('keeps what was final where it stands still for hours, or is no longer known', async () => {
    const [node] = [{ safe: smallBlock(7), finalized: smallBlock(5) } as Reported]
    const { chain, refresh, changes } = watching('l1', [node])
    await refresh()
    for (let hour = 0; hour < 3; hour++) {
      jest.advanceTimersByTime(3_600_000)
      await refresh()
    }
    node.finalized = undefined
    node.safe = smallBlock(6)
    jest.advanceTimersByTime(3_600_000)
    await refresh()
    expect([chain.safe, chain.finalized, changes()]).toEqual([7, 5, 1])
  })

  it('knows nothing to be final where the chain has gone without', async () => {
    const { chain, refresh, changes } = watching('milestones', [{}, {}])
    await refresh()
    expect([chain.safe, chain.finalized, changes()]).toEqual([undefined, undefined, 0])
  })

  it('believes no upstream that is ahead of most others', async () => {
    const honest = { safe: smallBlock(6), finalized: smallBlock(5) }
    const { chain, refresh } = watching('l1', [{ safe: smallBlock(9), finalized: smallBlock(9) }, honest, honest])
    await refresh()
    expect([chain.safe, chain.finalized]).toEqual([6, 5])
  })

  it('counts no block of another branch, nor an upstream that fails', async () => {
    const honest = { safe: smallBlock(6), finalized: smallBlock(5) }
    const { chain, refresh } = watching('l1', [{ safe: smallBlock(8, 1), finalized: smallBlock(8, 1) }, honest, 'fails'])
    await refresh()
    expect([chain.safe, chain.finalized]).toEqual([6, 5])
  })

  it('goes on where the primary upstream stands still and most others do not', async () => {
    const still = { safe: smallBlock(3), finalized: smallBlock(2) }
    const others: Reported[] = [{ ...still }, { ...still }]
    const { chain, refresh } = watching('l1', [still, ...others])
    await refresh()
    for (const other of others) other.finalized = smallBlock(8)
    jest.advanceTimersByTime(2_000)
    await refresh()
    expect(chain.finalized).toBe(2)
    jest.advanceTimersByTime(30_000)
    await refresh()
    expect(chain.finalized).toBe(8)
  })

  it('asks once a second where blocks are faster, the others only for what is new', async () => {
    const node = { safe: smallBlock(3), finalized: smallBlock(2) }
    const { asked, refresh } = watching('l1', [node, node])
    for (let block = 0; block < 40; block++) {
      await refresh()
      await jest.advanceTimersByTimeAsync(250)
    }
    expect(asked.filter((name) => name === 0).length).toBeLessThanOrEqual(11)
    expect(asked.filter((name) => name === 0).length).toBeGreaterThanOrEqual(9)
    expect(asked.filter((name) => name === 1)).toHaveLength(1)
  })

  it('settles after the first answers, however fast the blocks are', async () => {
    const { chain, refresh } = watching('l1', [{ safe: smallBlock(3), finalized: smallBlock(2) }])
    const first = refresh()
    void refresh()
    await first
    expect(chain.finalized).toBe(2)
  })

  it('goes back with the head only', async () => {
    const { chain, refresh } = watching('beacon', [{ safe: smallBlock(8), finalized: smallBlock(8) }])
    await refresh()
    chain.apply({ removed: chain.blocks().slice(-4).reverse(), added: [] })
    jest.advanceTimersByTime(2_000)
    await refresh()
    expect([chain.head?.number, chain.safe, chain.finalized]).toEqual([5, 5, 5])
  })
})

function watching(finality: FinalityRule, nodes: readonly (Reported | 'fails')[]) {
  const chain = new FollowedChain()
  chain.apply({ removed: [], added: shortChain(9).blocks() })
  const asked: number[] = []
  let changes = 0
  watch = new FinalityWatch({
    chain,
    finality,
    nodes: () =>
      nodes.map((node, index) => ({
        tagged: async (tag) => {
          if (tag === 'safe') asked.push(index)
          if (node === 'fails') throw new Error('away')
          return node[tag]
        },
      })),
    onChange: () => changes++,
  })
  return { chain, asked, changes: () => changes, refresh: () => (watch as FinalityWatch).refresh() }
}

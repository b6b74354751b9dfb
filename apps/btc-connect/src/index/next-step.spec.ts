import fc from 'fast-check'
import { type ChainComparison, nextStep } from './next-step.js'

const HASH = Buffer.alloc(32, 1)
const LIMITS = { startHeight: 0, bulkMinBlocks: 2_000, undoBlocks: 300 }

describe(nextStep, () => {
  it.each([
    ['rests where the node is', sight(10, 10), { does: 'rest' }],
    ['connects what the node has more', sight(10, 12), { does: 'connect' }],
    ['looks for the fork when the chains differ', { ...sight(10, 12), agrees: false }, { does: 'find-fork' }],
    ['looks for the fork when the node has another chain of the same height', { ...sight(10, 10), agrees: false }, { does: 'find-fork' }],
    ['takes back a few blocks that the node took back', sight(10, 8), { does: 'roll-back', to: 8 }],
    ['takes back all that is remembered', sight(1_000, 700), { does: 'roll-back', to: 700 }],
    ['waits for a node that reads its chain anew', sight(1_000, 699), { does: 'rest' }],
    ['loads a long chain into an empty index', empty(1_999), { does: 'load' }],
    ['connects a short chain to an empty index', empty(1_998), { does: 'connect' }],
    ['never loads into an index that has blocks', sight(0, 1_000_000), { does: 'connect' }],
    ['loads what the node is about to download', downloading(empty(0), 2_000), { does: 'load' }],
    ['loads it though the first blocks are here', downloading(sight(1_900, 1_950), 900_000), { does: 'load' }],
    ['loads nothing again that was loaded', downloading(sight(1_999, 1_999), 900_000), { does: 'rest' }],
    ['connects what an unfinished node has more', downloading(sight(800_000, 800_010), 900_000), { does: 'connect' }],
  ] as const)('%s', (_, sight, course) => {
    expect(nextStep(sight, LIMITS)).toEqual(course)
  })

  it.each([
    ['waits for the first block to come', empty(99, 100), { does: 'rest' }],
    ['takes the first block', empty(100, 100), { does: 'connect' }],
    ['takes nothing back below the first block', sight(101, 50), { does: 'roll-back', to: 99 }],
  ] as const)('begins at a height: %s', (_, sight, course) => {
    expect(nextStep(sight, { ...LIMITS, startHeight: 100 })).toEqual(course)
  })

  it('comes to rest when it does what it says', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (ours, node) => {
        const course = nextStep(sight(ours, node), LIMITS)
        const height = course.does === 'connect' ? node : course.does === 'roll-back' ? course.to : ours
        expect(nextStep(sight(height, node), LIMITS)).toEqual({ does: 'rest' })
      }),
    )
  })
})

function sight(ours: number, node: number): ChainComparison {
  return { ours: { height: ours, hash: HASH, nextTxId: ours + 1, chainwork: 1n }, node: { height: node, hash: HASH }, agrees: true }
}

function downloading(sight: ChainComparison, goal: number): ChainComparison {
  return { ...sight, node: { ...sight.node, goal } }
}

function empty(node: number, startHeight = 0): ChainComparison {
  const { ours, ...rest } = sight(startHeight - 1, node)
  return { ...rest, ours: { ...ours, hash: undefined } }
}

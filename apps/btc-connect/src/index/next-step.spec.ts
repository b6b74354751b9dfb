import fc from 'fast-check'
import { type ChainComparison, nextStepAtTip } from './next-step.js'

const HASH = Buffer.alloc(32, 1)
const LIMITS = { startHeight: 0, bulkMinBlocks: 2_000, undoBlocks: 300 }

describe(nextStepAtTip, () => {
  it.each([
    ['rests where the node is', comparison(10, 10), { kind: 'wait' }],
    ['connects what the node has more', comparison(10, 12), { kind: 'connect' }],
    ['looks for the fork when the chains differ', { ...comparison(10, 12), agrees: false }, { kind: 'find-fork' }],
    [
      'looks for the fork when the node has another chain of the same height',
      { ...comparison(10, 10), agrees: false },
      { kind: 'find-fork' },
    ],
    ['takes back a few blocks that the node took back', comparison(10, 8), { kind: 'roll-back', to: 8 }],
    ['takes back all that is remembered', comparison(1_000, 700), { kind: 'roll-back', to: 700 }],
    ['waits for a node that reads its chain anew', comparison(1_000, 699), { kind: 'wait' }],
    ['loads a long chain into an empty index', empty(1_999), { kind: 'load' }],
    ['connects a short chain to an empty index', empty(1_998), { kind: 'connect' }],
    ['never loads into an index that has blocks', comparison(0, 1_000_000), { kind: 'connect' }],
    ['loads what the node is about to download', downloading(empty(0), 2_000), { kind: 'load' }],
    ['loads it though the first blocks are here', downloading(comparison(1_900, 1_950), 900_000), { kind: 'load' }],
    ['loads nothing again that was loaded', downloading(comparison(1_999, 1_999), 900_000), { kind: 'wait' }],
    ['connects what an unfinished node has more', downloading(comparison(800_000, 800_010), 900_000), { kind: 'connect' }],
  ] as const)('%s', (_, comparison, course) => {
    expect(nextStepAtTip(comparison, LIMITS)).toEqual(course)
  })

  it.each([
    ['waits for the first block to come', empty(99, 100), { kind: 'wait' }],
    ['takes the first block', empty(100, 100), { kind: 'connect' }],
    ['takes nothing back below the first block', comparison(101, 50), { kind: 'roll-back', to: 99 }],
  ] as const)('begins at a height: %s', (_, comparison, course) => {
    expect(nextStepAtTip(comparison, { ...LIMITS, startHeight: 100 })).toEqual(course)
  })

  it('waits once all steps are done', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (ours, node) => {
        const step = nextStepAtTip(comparison(ours, node), LIMITS)
        const height = step.kind === 'connect' ? node : step.kind === 'roll-back' ? step.to : ours
        expect(nextStepAtTip(comparison(height, node), LIMITS)).toEqual({ kind: 'wait' })
      }),
    )
  })
})

function comparison(ours: number, node: number): ChainComparison {
  return { ours: { height: ours, hash: HASH, nextTxId: ours + 1, chainwork: 1n }, node: { height: node, hash: HASH }, agrees: true }
}

function downloading(comparison: ChainComparison, goal: number): ChainComparison {
  return { ...comparison, node: { ...comparison.node, goal } }
}

function empty(node: number, startHeight = 0): ChainComparison {
  const { ours, ...rest } = comparison(startHeight - 1, node)
  return { ...rest, ours: { ...ours, hash: undefined } }
}

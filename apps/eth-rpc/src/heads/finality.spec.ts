import { CHAINS } from '@trestle/contracts/chains/chains'
import { agreedNumber, blocksToHold, depthOf } from './finality.js'

describe(depthOf, () => {
  it('is none of a chain whose nodes report what is final', () => {
    expect((['nodes', 'beacon', 'l1', 'milestones'] as const).map(depthOf)).toEqual([undefined, undefined, undefined, undefined])
    expect([depthOf('instant'), depthOf({ depth: 64 })]).toEqual([0, 64])
  })
})

describe(blocksToHold, () => {
  it.each([
    ['instant', 2, 256],
    ['milestones', 2, 256],
    [{ depth: 64 }, 13, 256],
    [{ depth: 1024 }, 13, 1152],
    [{ depth: 100_000 }, 13, 4096],
    ['beacon', 12, 256],
    ['beacon', 5, 368],
    ['l1', 2, 1028],
    // Half an hour would be 7,200.
    ['l1', 0.25, 1152],
  ] as const)('of %j with a block each %f s are %i', (finality, blockSeconds, expected) => {
    expect(blocksToHold(finality, blockSeconds)).toBe(expected)
  })

  it('are a whole number for every chain', () => {
    for (const chain of CHAINS) {
      if (chain.family === 'evm')
        expect(blocksToHold(chain.finality, chain.blockSeconds)).toEqual(Math.ceil(blocksToHold(chain.finality, chain.blockSeconds)))
    }
  })
})

describe(agreedNumber, () => {
  it.each([
    [[], undefined],
    [[7], 7],
    [[9, 7], 7],
    [[1_000_000, 7, 8], 8],
    [[1_000_000, 8, 8, 0], 8],
    [[5, 5, 9, 9], 5],
    [[5, 5, 9, 9, 9], 9],
  ])('of %j is %p: more than half have reached it', (numbers, expected) => {
    expect(agreedNumber(numbers)).toBe(expected)
  })
})

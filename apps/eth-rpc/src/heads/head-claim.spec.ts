import { smallBlock } from '../../test/small-chain.js'
import type { ChainBlock } from './followed-chain.js'
import { type ClaimContext, type HeadClaim, hashAtOf, judgeClaim, quorumOf, startingBlock } from './head-claim.js'

const OURS = smallBlock(10)
const CONTEXT: ClaimContext = { ours: OURS, size: 3, pace: undefined, now: 0 }

describe(judgeClaim, () => {
  it.each<[string, HeadClaim['link'], ChainBlock[], string]>([
    ['links to our chain', 'linked', [], 'counts'],
    ['is still examined', 'open', [], 'open'],
    ['links to nothing', 'unlinked', [], 'unproven'],
    ['links to nothing, and one more has it', 'unlinked', [smallBlock(30)], 'counts'],
    ['links to nothing, and one more has a descendant', 'unlinked', [smallBlock(31)], 'counts'],
    ['links to our chain while one is elsewhere', 'linked', [smallBlock(30, 1)], 'counts'],
    ['links to our chain while most are elsewhere', 'linked', [smallBlock(30, 1), smallBlock(31, 1)], 'outvoted'],
  ])('judges a head that %s', (_, link, others, expected) => {
    const claim = claimOf('a', smallBlock(30), link)
    const all = [claim, ...others.map((head, index) => claimOf(`b${index}`, head, 'unlinked'))]
    expect(judgeClaim(claim, all, CONTEXT)).toBe(expected)
  })

  it('counts the upstreams that were asked for the block, and have it', () => {
    const claim = { ...claimOf('a', smallBlock(30), 'unlinked'), backers: new Set(['b']) }
    expect(judgeClaim(claim, [claim, claimOf('b', smallBlock(99), 'unlinked')], CONTEXT)).toBe('counts')
  })

  it('takes an upstream that is away as one that has not agreed', () => {
    const claim = claimOf('a', smallBlock(30), 'unlinked')
    expect(judgeClaim(claim, [claim], { ...CONTEXT, size: 2 })).toBe('unproven')
    expect(judgeClaim(claim, [claim], { ...CONTEXT, size: 1 })).toBe('counts')
  })

  it.each([
    ['a block in its time', 1, 12, 'counts'],
    ['blocks by luck', 16, 1, 'counts'],
    ['more than there was time for', 40, 12, 'unproven'],
    ['as many as there was time for', 40, 12 * 40, 'counts'],
    ['a block of the future', 1, 10_000, 'unproven'],
    ['a block before ours', 1, -1, 'unproven'],
  ])('holds a head against the pace of the chain: %s', (_, ahead, seconds, expected) => {
    const pace = { blockSeconds: 12 }
    const claim = claimOf('a', at(smallBlock(10 + ahead), 1000 + seconds), 'linked')
    expect(judgeClaim(claim, [claim], { ours: at(OURS, 1000), size: 2, pace, now: 2000 })).toBe(expected)
  })
})

describe(startingBlock, () => {
  it.each<[string, ChainBlock[], number | undefined]>([
    ['an only upstream', [smallBlock(5)], 5],
    ['the block that two of three have', [smallBlock(6), smallBlock(5), smallBlock(90, 1)], 5],
    ['the highest of those', [smallBlock(6), smallBlock(6), smallBlock(5)], 6],
    ['none where two disagree', [smallBlock(6), smallBlock(6, 1)], undefined],
    ['none where nobody answers', [], undefined],
  ])('chooses %s', (_, heads, expected) => {
    expect(startingBlock(heads.map((head, index) => claimOf(String(index), head, 'open')))?.block.number).toBe(expected)
  })
})

describe(quorumOf, () => {
  it('is more than half', () => {
    expect([1, 2, 3, 4, 5].map(quorumOf)).toEqual([1, 2, 2, 3, 3])
  })
})

/** Of an upstream that has shown its head only. */
function claimOf(name: string, head: ChainBlock, link: HeadClaim['link']): HeadClaim {
  return { name, head, link, backers: new Set(), hashAt: (number) => hashAtOf(head, number, () => undefined) }
}

function at(block: ChainBlock, timestamp: number): ChainBlock {
  return { ...block, header: JSON.stringify({ timestamp: `0x${timestamp.toString(16)}` }) }
}

import { ChainFollower, type FollowedUpstream } from './chain-follower.engine.js'
import { type ChainBlock, type ChainChange, FollowedChain } from './followed-chain.js'

describe(ChainFollower, () => {
  it('starts with the ancestors of the first head', async () => {
    const { follower, changes } = following(node(branch(0, 200)))
    await follower.follow()
    expect(changes).toHaveLength(1)
    expect(changes[0]!.added.map(numberOf)).toEqual([199])
    expect(changes[0]!.resetFrom).toHaveLength(128)
  })

  it('asks other nodes for ancestors that the primary upstream does not show', async () => {
    const all = branch(0, 200)
    const primary = node(all.slice(190))
    const { follower, changes, options, chain } = following(primary)
    options.others = [node([]), node(all)]
    await follower.follow()
    expect(changes[0]!.resetFrom).toHaveLength(128)
    options.others = [node(branch(0, 300))]
    primary.blocks = branch(0, 300).slice(250)
    await follower.follow()
    expect([changes.length, changes[1]!.added.length, chain.head?.number]).toEqual([2, 100, 299])
  })

  it('does not start at a block that is replaced while its ancestors are asked for', async () => {
    const trunk = branch(0, 10)
    const primary = node([...trunk, ...branch(10, 12, 'a')])
    const { follower, changes, failures, chain } = following(primary)
    primary.onQuestion = () => {
      primary.blocks = [...trunk, ...branch(10, 13, 'b')]
    }
    await follower.follow()
    expect([changes, failures]).toEqual([[], ['No node knows the ancestors of block 11.']])
    await follower.follow()
    expect(chain.blocks()).toHaveLength(13)
  })

  it('moves to another branch by way of their common ancestor', async () => {
    const trunk = branch(0, 10)
    const primary = node([...trunk, ...branch(10, 13, 'a')])
    const { follower, changes } = following(primary)
    await follower.follow()
    primary.blocks = [...trunk, ...branch(10, 14, 'b')]
    await follower.follow()
    expect(changes[1]!.removed.map(hashOf)).toEqual(['12a', '11a', '10a'])
    expect(changes[1]!.added.map(hashOf)).toEqual(['10b', '11b', '12b', '13b'])
  })

  it('fills a gap, and restarts where it is too wide', async () => {
    const all = branch(0, 400)
    const primary = node(all.slice(0, 100))
    const { follower, changes } = following(primary)
    await follower.follow()
    primary.blocks = all.slice(0, 228)
    await follower.follow()
    expect(changes[1]!.added).toHaveLength(128)
    primary.blocks = all
    await follower.follow()
    expect(changes[2]!.resetFrom).toHaveLength(128)
  })

  it('does not restart at a head that is far ahead and links to nothing before the timeout', async () => {
    const primary = node(branch(0, 10))
    const { follower, changes, options, clock } = following(primary)
    await follower.follow()
    options.isLinked = false
    primary.blocks = [...branch(0, 10), ...branch(1_000_000, 1_000_001, 'x')]
    await follower.follow()
    clock.now += 9_999
    await follower.follow()
    expect(changes).toHaveLength(1)
    clock.now += 1
    await follower.follow()
    expect(changes[1]).toMatchObject({ resetFrom: [], added: [{ number: 1_000_000 }] })
  })

  it('starts at the block that a quorum has, not at the head of the primary upstream', async () => {
    const primary = node(branch(0, 10))
    const { follower, changes, options } = following(primary)
    options.start = branch(0, 8).at(-1)
    await follower.follow()
    expect(changes[0]!.added.map(numberOf)).toEqual([7])
  })

  it('does not go back before the timeout, then does so without a restart', async () => {
    const primary = node(branch(0, 10))
    const { follower, changes, chain, clock } = following(primary)
    await follower.follow()
    primary.blocks = branch(0, 8)
    await follower.follow()
    clock.now += 9_999
    await follower.follow()
    expect(chain.head?.number).toBe(9)
    clock.now += 1
    await follower.follow()
    expect(changes[1]!.removed.map(numberOf)).toEqual([9, 8])
    expect(changes[1]!.resetFrom).toBeUndefined()
  })

  it('ignores an upstream that is no longer primary', async () => {
    const primary = node(branch(0, 10))
    const { follower, changes, options } = following(primary)
    await follower.follow()
    primary.blocks = branch(0, 12)
    primary.onQuestion = () => {
      options.current = node(branch(0, 10))
    }
    await follower.follow()
    expect(changes).toHaveLength(1)
  })

  it('reports an unknown parent, and restarts after the timeout', async () => {
    const primary = node(branch(0, 10))
    const { follower, changes, failures, clock } = following(primary)
    await follower.follow()
    primary.blocks = [...branch(0, 8), ...branch(14, 15)]
    await follower.follow()
    expect(failures).toEqual(['No node knows the parent of block 14.'])
    clock.now += 10_000
    await follower.follow()
    expect(changes[1]).toMatchObject({ resetFrom: [], added: [{ number: 14 }] })
  })
})

interface Node extends FollowedUpstream {
  blocks: readonly ChainBlock[]
  onQuestion?: () => void
}

function following(primary: Node) {
  const chain = new FollowedChain()
  const changes: ChainChange[] = []
  const failures: string[] = []
  const options: { current: Node; others: Node[]; isLinked: boolean; start?: ChainBlock } = { current: primary, others: [], isLinked: true }
  const clock = { now: 0 }
  const follower = new ChainFollower({
    chain,
    primary: () => options.current,
    others: () => options.others,
    start: ({ head }) => options.start ?? head,
    isLinked: () => options.isLinked,
    onChange: (change) => {
      chain.apply(change)
      changes.push(change)
    },
    onFailure: (_, error) => failures.push((error as Error).message),
    now: () => clock.now,
  })
  return { follower, chain, changes, failures, options, clock }
}

function node(blocks: readonly ChainBlock[]): Node {
  const find = async (matches: (block: ChainBlock) => boolean) => {
    found.onQuestion?.()
    return found.blocks.find(matches)
  }
  const found: Node = {
    name: 'primary',
    blocks,
    get head() {
      return found.blocks.at(-1)
    },
    node: {
      block: (hash) => find((block) => block.hash === hash),
      blockAt: (number) => find((block) => block.number === number),
    },
  }
  return found
}

/** The first follows on the trunk. */
function branch(from: number, to: number, name = ''): ChainBlock[] {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index
    return { number, hash: `${number}${name}`, parentHash: `${number - 1}${index > 0 ? name : ''}`, header: '{}', receivedAt: 0 }
  })
}

function numberOf({ number }: ChainBlock): number {
  return number
}

function hashOf({ hash }: ChainBlock): string {
  return hash
}

import type { Block } from '@trestle/bitcoin/block'
import { blockAfter, coinbase, script } from '../../test/writing/built-chain.js'
import { MemoryNode } from '../../test/writing/memory-node.js'
import type { ChainTip } from '../node/block-source.js'
import { ChainMoved } from '../node/node-errors.js'
import { ChainComparisonService } from './chain-comparison.service.js'
import { DeepReorg } from './condition.js'
import type { ChainComparison } from './next-step.js'
import type { StateRepository } from './state.repository.js'
import type { WriterRun } from './writer-run.js'

const RUN = { signal: new AbortController().signal, settings: { startHeight: 0 } } as WriterRun

describe(ChainComparisonService, () => {
  it.each([0, 1, 7, 18])('finds the fork after block %i', async (fork) => {
    const ours = chain(20)
    const node = new MemoryNode()
    node.follow([...ours.slice(0, fork + 1), ...chain(5, ours.slice(0, fork + 1), 'other').slice(fork + 1)])
    expect(await chains(node, ours).findFork(comparison(ours, await node.tip()), RUN)).toBe(fork)
  })

  it('disconnects nothing if the hashes of a node do not match its blocks', async () => {
    const ours = chain(20)
    const node = new MemoryNode()
    node.follow(ours)
    node.hashAt = async (height) => (height > 10 ? ours[3]!.header.hash : ours[height]!.header.hash)
    await expect(chains(node, ours).findFork(comparison(ours, await node.tip()), RUN)).rejects.toBeInstanceOf(ChainMoved)
  })

  it('disconnects nothing if a node reports an earlier tip than it has', async () => {
    const ours = chain(20)
    const node = new MemoryNode()
    node.follow(ours)
    node.tip = async () => ({ height: 15, hash: ours[15]!.header.hash })
    await expect(chains(node, ours).compare(RUN)).rejects.toBeInstanceOf(ChainMoved)
  })

  it('disconnects nothing if a node forks too far below the tip', async () => {
    const ours = chain(2)
    const node = new MemoryNode()
    node.follow([...ours.slice(0, 1), ...chain(1, ours.slice(0, 1), 'other').slice(1)])
    const comparison: ChainComparison = {
      ours: { height: 10_001, hash: Buffer.alloc(32, 1), nextTxId: 0, chainwork: 1n },
      node: { height: 10_001, hash: Buffer.alloc(32, 2) },
      agrees: false,
    }
    await expect(chains(node, ours).findFork(comparison, RUN)).rejects.toBeInstanceOf(DeepReorg)
  })

  it('agrees if one chain is a prefix of the other', async () => {
    const ours = chain(20)
    const node = new MemoryNode()
    for (const length of [15, 20]) {
      node.follow(ours.slice(0, length))
      expect(await chains(node, ours).compare(RUN)).toMatchObject({ agrees: true })
    }
    node.follow(ours)
    expect(await chains(node, ours.slice(0, 15)).compare(RUN)).toMatchObject({ agrees: true })
    node.follow(chain(10, ours.slice(0, 12), 'other'))
    expect(await chains(node, ours).compare(RUN)).toMatchObject({ agrees: false })
  })
})

/** So many blocks in all, or more after those. */
function chain(length: number, after: readonly Block[] = [], tag = ''): Block[] {
  const blocks = [...after]
  const wanted = after.length > 0 ? after.length + length : length
  while (blocks.length < wanted) {
    blocks.push(blockAfter(blocks.at(-1), [coinbase(`${tag}${blocks.length}`, [{ value: 1n, script: script.keyHash('ann') }])]))
  }
  return blocks
}

function chains(node: MemoryNode, ours: readonly Block[]): ChainComparisonService {
  const { ours: end } = comparison(ours, { height: 0, hash: Buffer.alloc(32) })
  const states = { findHash: async (height: number) => ours[height]?.header.hash, findEnd: async () => end }
  return new ChainComparisonService(node, states as unknown as StateRepository)
}

function comparison(ours: readonly Block[], node: ChainTip): ChainComparison {
  return { ours: { height: ours.length - 1, hash: ours.at(-1)?.header.hash, nextTxId: ours.length, chainwork: 1n }, node, agrees: false }
}

import type { Block } from '@trestle/bitcoin/block'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { createLogger } from '@trestle/runtime/logger'
import { FakeNode, FakeRefusal } from '../../test/fake-node.js'
import { smallChain, smallChainHash } from '../../test/small-chain.js'
import { NodeClient } from './node.client.js'
import { NodeBlocksClient } from './node-blocks.client.js'
import { NodeCapabilitiesService } from './node-capabilities.service.js'
import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeUnreachable } from './node-errors.js'

const chain = smallChain(30)
const { signal } = new AbortController()

describe(NodeBlocksClient, () => {
  let node: FakeNode
  let client: NodeClient
  let blocks: NodeBlocksClient

  beforeEach(async () => {
    node = await FakeNode.start(chain)
    const env = { NODE_URL: node.url, NODE_COOKIE_FILE: undefined }
    client = new NodeClient(env)
    blocks = new NodeBlocksClient(
      client,
      new NodeCapabilitiesService(client, createLogger('test', 'silent'), env),
      chainRules('btc', 'regtest'),
    )
  })

  afterEach(async () => {
    await client.close()
    await node.stop()
  })

  it.each([
    ['REST', true],
    ['JSON-RPC', false],
  ])('reads blocks in order over %s', async (_, rest) => {
    node.rest = rest
    expect((await read(0, 30)).map(({ raw }) => raw)).toEqual(chain)
    expect(node.asked.includes('getblock')).toBe(!rest)
  })

  it('knows the tip and the hashes below it', async () => {
    expect(await blocks.tip(signal)).toEqual({ height: 30, hash: smallChainHash(chain[30]!) })
    expect(await blocks.hashAt(7, signal)).toEqual(smallChainHash(chain[7]!))
    expect(await blocks.hashAt(31, signal)).toBeUndefined()
  })

  it.each([
    [{ initialblockdownload: true, headers: 900 }, 900],
    [{ initialblockdownload: true, headers: 30 }, undefined],
    [{ initialblockdownload: false, headers: 900 }, undefined],
    [{ initialblockdownload: true }, undefined],
  ])('derives from %j the height that the node is syncing to', async (info, goal) => {
    const tip = { chain: 'regtest', blocks: 30, bestblockhash: smallChainHash(chain[30]!).toString('hex'), difficulty: 1 }
    node.answers.getblockchaininfo = () => ({ ...tip, ...info })
    expect((await blocks.tip(signal)).goal).toBe(goal)
  })

  it('reads a block of a branch that was left', async () => {
    const stale = smallChain(5, 1).at(-1)!
    node.blockFor = () => stale
    expect((await blocks.block(smallChainHash(stale), signal)).raw).toEqual(stale)
  })

  it.each([
    ['chain', { chain: 'main' }, undefined],
    ['first block', {}, '00'.repeat(32)],
  ])('refuses a node with another %s', async (_, info, genesis) => {
    const tip = { chain: 'regtest', blocks: 30, bestblockhash: smallChainHash(chain[30]!).toString('hex'), difficulty: 1 }
    node.answers.getblockchaininfo = () => ({ ...tip, ...info })
    if (genesis) node.answers.getblockhash = () => genesis
    await expect(blocks.tip(signal)).rejects.toThrow(NodeOnWrongNetwork)
  })

  it.each<[string, (block: Buffer) => Buffer]>([
    ['another block', () => chain[3]!],
    ['a block cut short', (block) => block.subarray(0, block.length - 5)],
    ['a block with something behind it', (block) => Buffer.concat([block, Buffer.of(0)])],
    ['a block with another transaction', (block) => changed(block, block.length - 10)],
    ['a header that was changed', (block) => changed(block, 70)],
    ['nothing', () => Buffer.alloc(0)],
    ['random bytes', (block) => Buffer.alloc(block.length, 0xa5)],
  ])('rejects %s', async (_, lie) => {
    const lied = smallChainHash(chain[10]!).toString('hex')
    node.blockFor = (hash) => {
      const block = chain.find((each) => smallChainHash(each).toString('hex') === hash)!
      return hash === lied ? lie(block) : block
    }
    const seen: Block[] = []
    await expect(read(5, 20, seen)).rejects.toThrow(BadBlock)
    expect(seen.map(({ raw }) => raw)).toEqual(chain.slice(5, 10))
  })

  it('detects missing proof of work', async () => {
    const lazy = Buffer.from(chain[4]!)
    do lazy.writeUInt32LE(lazy.readUInt32LE(76) + 1, 76)
    while (smallChainHash(lazy)[0]! < 0x80)
    node.blockFor = () => lazy
    await expect(blocks.block(smallChainHash(lazy), signal)).rejects.toThrow(BadBlock)
  })

  it('detects that the node switched branches', async () => {
    const other = smallChain(30, 1)
    node.blocks = [...chain.slice(0, 10), ...other.slice(10)]
    await expect(read(5, 20)).rejects.toThrow(ChainMoved)
    node.blocks = chain.slice(0, 12)
    await expect(read(5, 20)).rejects.toThrow(ChainMoved)
  })

  it.each([
    ['REST', true],
    ['JSON-RPC', false],
  ])('reports over %s that the node has pruned the block', async (_, rest) => {
    node.rest = rest
    node.blockFor = () => undefined
    node.answers.getblock = () => {
      throw new FakeRefusal(-1, 'Block not available (pruned data)')
    }
    await expect(read(1, 5)).rejects.toThrow(NodePruned)
  })

  it('continues over JSON-RPC when REST is closed', async () => {
    await read(0, 1)
    node.rest = false
    expect((await read(0, 5)).map(({ raw }) => raw)).toEqual(chain.slice(0, 6))
  })

  it('works again after the node was unavailable', async () => {
    node.takeOver = (response) => void response.destroy()
    await expect(read(1, 5)).rejects.toThrow(NodeUnreachable)
    node.takeOver = undefined
    expect(await read(1, 5)).toHaveLength(5)
  })

  async function read(first: number, last: number, seen: Block[] = []): Promise<Block[]> {
    for await (const block of blocks.blocks(first, last, signal)) seen.push(block)
    return seen
  }
})

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

import type { IndexSettings } from '../../src/index/settings.js'
import { indexTables } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { RANDOM_RULES, randomChains } from './random-chain.js'
import { type EmptyIndex, emptyIndex, IN_BULK, startWriter } from './writer-under-test.js'

const CHAIN = randomChains([{ left: 0, blocks: 40, seed: 1 }])[0] ?? []

describe('a node that is still downloading the chain itself', () => {
  let index: EmptyIndex
  let node: MemoryNode

  beforeEach(async () => {
    index = await emptyIndex()
    node = new MemoryNode()
  })

  afterEach(() => index.drop())

  it('delays the load', async () => {
    node.goal = 40
    for (const blocks of [1, 15, 33]) {
      node.follow(CHAIN.slice(0, blocks))
      await write()
      expect(await state()).toEqual({ phase: 'load', condition: 'syncing', condition_detail: waitsFor(blocks), node_height: 40 })
    }
    await finish()
  })

  it('loads the first blocks with all others once the length of the chain is known', async () => {
    const settings = { ...IN_BULK, bulkMinBlocks: 5 }
    node.follow(CHAIN.slice(0, 3))
    await write(settings)
    expect(await state()).toMatchObject({ phase: 'tip', condition: 'finished', node_height: 2 })
    node.goal = 40
    await write(settings)
    expect(await state()).toMatchObject({ phase: 'load', condition: 'syncing', condition_detail: waitsFor(3) })
    await finish()
  })

  async function finish(): Promise<void> {
    node.follow(CHAIN)
    node.goal = undefined
    await write()
    expect(await state()).toEqual({ phase: 'tip', condition: 'finished', condition_detail: null, node_height: CHAIN.length - 1 })
    expect(await indexTables(index.pool)).toEqual(naiveIndex(CHAIN, RANDOM_RULES).index)
  }

  async function write(settings: IndexSettings = IN_BULK): Promise<void> {
    const writer = startWriter({ url: index.url, source: node, rules: RANDOM_RULES, settings })
    await writer.settle()
    await writer.end()
  }

  async function state(): Promise<unknown> {
    return (await index.pool.query('SELECT phase, condition, condition_detail, node_height FROM index_state')).rows[0]
  }
})

function waitsFor(blocks: number): string {
  return `The node itself has ${blocks - 1} of 40 blocks so far.`
}

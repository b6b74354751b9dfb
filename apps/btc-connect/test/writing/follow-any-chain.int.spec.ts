import fc from 'fast-check'
import type { IndexSettings } from '../../src/index/settings.js'
import { indexTables, undoTable } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { RANDOM_RULES, randomChains } from './random-chain.js'
import { AT_THE_TIP, EmptyIndexes, IN_BULK, Life, startWriter } from './writer-under-test.js'

const growth = fc.record({ left: fc.nat(8), blocks: fc.integer({ min: 1, max: 7 }), seed: fc.nat() })
const growths = fc.array(growth, { minLength: 1, maxLength: 5 })
// RUNS=50 for the long run; each has chains of its own.
const RUNS = { numRuns: Number(process.env.RUNS ?? 6) }

describe('the index of any chain', () => {
  const indexes = new EmptyIndexes()

  afterAll(() => indexes.drop())

  it.each([
    ['at the tip', AT_THE_TIP],
    ['in bulk', IN_BULK],
    ['at the tip, remembering little', { ...AT_THE_TIP, undoBlocks: 2 }],
    ['without raw transactions', { ...IN_BULK, storeRaw: false }],
  ])(
    'equals that of a naive reader of its blocks: %s',
    (_, settings) =>
      fc.assert(
        fc.asyncProperty(growths, (growths) =>
          indexes.lend(async (index) => {
            const node = new MemoryNode()
            for (const chain of randomChains(growths)) {
              node.follow(chain)
              await write({ url: index.url, node, settings })
              const expected = naiveIndex(chain, RANDOM_RULES)
              if (!settings.storeRaw) expected.index.tx_raw = []
              expect(await indexTables(index.pool)).toEqual(expected.index)
              expect(expected.undo).toMatchObject(await undoTable(index.pool))
            }
          }),
        ),
        RUNS,
      ),
    60_000 + RUNS.numRuns * 30_000,
  )

  it(
    'has the same checksum, however it was written',
    () =>
      fc.assert(
        fc.asyncProperty(growths, (growths) =>
          indexes.lend((one) =>
            indexes.lend(async (other) => {
              const node = new MemoryNode()
              for (const chain of randomChains(growths)) {
                node.follow(chain)
                await write({ url: one.url, node, settings: AT_THE_TIP })
              }
              await write({ url: other.url, node, settings: IN_BULK })
              expect(await one.checksum()).toEqual(await other.checksum())
            }),
          ),
        ),
        RUNS,
      ),
    60_000 + RUNS.numRuns * 30_000,
  )

  it.each([
    ['at the tip', AT_THE_TIP],
    ['in bulk', IN_BULK],
    ['at the tip, remembering little', { ...AT_THE_TIP, undoBlocks: 2 }],
  ])(
    'is complete again after any number of kills, written %s',
    (_, settings) =>
      fc.assert(
        fc.asyncProperty(growths, fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 8 }), (growths, deaths) =>
          indexes.lend(async (index) => {
            const node = new MemoryNode()
            const chains = randomChains(growths)
            const ahead = [...deaths]
            for (const chain of chains) {
              node.follow(chain)
              const statements = ahead.splice(0, Math.ceil(deaths.length / chains.length))
              for (const each of statements) await write({ url: index.url, node, settings, life: new Life(each) }).catch(() => {})
              await write({ url: index.url, node, settings })
              expect(await indexTables(index.pool)).toEqual(naiveIndex(chain, RANDOM_RULES).index)
            }
          }),
        ),
        RUNS,
      ),
    60_000 + RUNS.numRuns * 30_000,
  )
})

interface Writing {
  readonly url: string
  readonly node: MemoryNode
  readonly settings: IndexSettings
  readonly life?: Life
}

async function write({ url, node, settings, life }: Writing): Promise<void> {
  const writer = startWriter({ url, source: node, rules: RANDOM_RULES, settings, life })
  try {
    await writer.settle()
  } finally {
    await writer.end()
  }
}

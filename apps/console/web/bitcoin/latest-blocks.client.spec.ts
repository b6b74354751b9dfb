import { latestBlocks } from './latest-blocks.client.js'

const NOON = Date.UTC(2026, 0, 31, 12) / 1000

describe(latestBlocks, () => {
  it('asks for today alone where today has enough', async () => {
    const { api, asked } = chainOf({ today: [5, 4, 3], earlier: [] })
    expect((await latestBlocks(api, 3)).map(({ height }) => height)).toEqual([5, 4, 3])
    expect(asked).toEqual(['today'])
  })

  it('goes on with the day of the block before', async () => {
    const { api, asked } = chainOf({ today: [5], earlier: [4, 3, 2] })
    expect((await latestBlocks(api, 3)).map(({ height }) => height)).toEqual([5, 4, 3])
    expect(asked).toEqual(['today', '2026-01-31'])
  })

  it('finds the last day of a chain that stands still', async () => {
    const { api } = chainOf({ today: [], earlier: [4, 3] })
    expect((await latestBlocks(api, 3)).map(({ height }) => height)).toEqual([4, 3])
  })

  it('is content with the first block', async () => {
    const { api } = chainOf({ today: [0], earlier: [] })
    expect((await latestBlocks(api, 3)).map(({ height }) => height)).toEqual([0])
  })
})

function chainOf({ today, earlier }: { today: number[]; earlier: number[] }) {
  const asked: string[] = []
  const blocksOf = (heights: number[]) => ({ blocks: heights.map((height) => ({ height })) })
  const api = {
    status: { sync: async () => ({ height: Math.max(...today, ...earlier) }) },
    blocks: {
      list: async ({ query: { date } }: { query: { date?: string } }) => {
        asked.push(date ?? 'today')
        return blocksOf(date ? earlier : today)
      },
      hash: async ({ params }: { params: { height: string } }) => ({ blockHash: `hash of ${params.height}` }),
      one: async () => ({ time: NOON }),
    },
  }
  return { api: api as never, asked }
}

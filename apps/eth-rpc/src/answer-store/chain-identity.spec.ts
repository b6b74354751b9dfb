import { jest } from '@jest/globals'
import { shortChain, smallHash } from '../../test/small-chain.js'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { unavailable } from '../framing/rpc-error.js'
import type { StoredChain } from './answer-store.repository.js'
import { ChainIdentityCheck } from './chain-identity.engine.js'

const GENESIS = smallHash(0)

describe(ChainIdentityCheck, () => {
  it('begins with the first block where nothing is stored of the chain', async () => {
    const { check, chains } = desk()
    expect(await check.find()).toMatchObject({ chainId: 1, genesis: GENESIS, anchor: { number: 0, hash: GENESIS } })
    expect(chains).toHaveLength(1)
  })

  it.each([
    ['held', 18],
    ['older than what we hold', 4],
  ])('knows the chain again by its anchor: %s', async (_, number) => {
    const { check, chains } = desk()
    const stored = { id: 'one', chainId: 1, genesis: GENESIS, anchor: { number, hash: smallHash(number) } }
    chains.push(stored)
    expect(await check.find()).toEqual(stored)
  })

  it.each([
    ['held', 18],
    ['older than what we hold', 4],
  ])('begins another life where the chain has another block at the anchor: %s', async (_, number) => {
    const { check, chains } = desk()
    chains.push({ id: 'one', chainId: 1, genesis: GENESIS, anchor: { number, hash: smallHash(number, 9) } })
    expect(await check.find()).toMatchObject({ id: expect.not.stringMatching('one'), anchor: { number: 0 } })
    expect(chains).toHaveLength(1)
  })

  it('keeps chains with other first blocks apart', async () => {
    const { check, chains } = desk()
    chains.push({ id: 'one', chainId: 1, genesis: smallHash(0, 9), anchor: { number: 0, hash: smallHash(0, 9) } })
    expect((await check.find())?.id).not.toBe('one')
    expect(chains).toHaveLength(2)
  })

  it('waits for a chain that has not come as far as the anchor', async () => {
    const { check, chains } = desk()
    chains.push({ id: 'one', chainId: 1, genesis: GENESIS, anchor: { number: 30, hash: smallHash(30) } })
    expect(await check.find()).toBeUndefined()
    expect(chains).toHaveLength(1)
  })

  it.each([
    ['does not have the block', async () => resultOf(null)],
    ['shows no hash', async () => resultOf({})],
    ['has an error', async (): Promise<CallOutcome> => ({ member: 'error', json: Buffer.from('{}') })],
  ])('changes nothing where the nodes cannot tell: who is asked %s', async (_, answer) => {
    const { check, chains } = desk(answer)
    chains.push({ id: 'one', chainId: 1, genesis: GENESIS, anchor: { number: 4, hash: smallHash(4) } })
    expect(await check.find()).toBeUndefined()
    expect(chains).toHaveLength(1)
  })

  it('asks most of the nodes that are on our chain', async () => {
    const { check, asked, feed } = desk()
    feed.see('n2', { isOnOurChain: false })
    await check.find()
    expect(asked[0]).toEqual({ nodes: 4, agreeing: 3 })
    for (const name of ['n0', 'n1', 'n3', 'n4']) feed.see(name, { isUsable: false })
    expect(await check.find()).toBeUndefined()
  })

  it('rejects where the nodes do not agree', async () => {
    const { check } = desk(() => Promise.reject(unavailable('nobody agrees')))
    await expect(check.find()).rejects.toThrow('nobody agrees')
  })

  it.each([
    [18, undefined],
    [16, { number: 16, hash: smallHash(16) }],
    [3, { number: 15, hash: smallHash(15) }],
  ])('finds a final block from %d on', async (number, anchor) => {
    const found = await desk().check.anchorFor(number)
    expect(found && { number: found.number, hash: found.hash }).toEqual(anchor)
  })

  it('asks for one where none is held, and believes it once the nodes would be known to have another chain', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(100_000)
    const { check, asked } = desk(undefined, { finalized: 10 })
    expect(await check.anchorFor(9)).toBeUndefined()
    expect(await check.anchorFor(9)).toBeUndefined()
    clock.mockReturnValue(130_000)
    expect(await check.anchorFor(9)).toEqual({ number: 10, hash: smallHash(10) })
    clock.mockReturnValue(160_000)
    check.forget()
    expect(await check.anchorFor(9)).toBeUndefined()
    expect(asked).toHaveLength(3)
    clock.mockRestore()
  })
})

/** A chain of 20 blocks, of which 6 are held and 16 are final. */
function desk(answer?: (number: number) => Promise<CallOutcome>, { finalized = 16 } = {}) {
  const chains: StoredChain[] = []
  const asked: object[] = []
  const feed = new FakeHeadFeed(['n0', 'n1', 'n2', 'n3', 'n4'])
  const shown = answer ?? (async (number: number) => resultOf({ number: `0x${number.toString(16)}`, hash: smallHash(number) }))
  const upstreams = {
    of: (size: object) => ({
      call: ({ paramsJson }: { paramsJson: string }) => {
        asked.push(size)
        const [number] = JSON.parse(paramsJson)
        return number === '0x0' && answer !== undefined && chains.length > 0
          ? Promise.resolve(resultOf({ hash: GENESIS }))
          : shown(Number(number))
      },
    }),
  }
  const repository = {
    findChain: async ({ genesis }: { genesis: string }) => chains.find((chain) => chain.genesis === genesis),
    addChain: async (chain: Omit<StoredChain, 'id'>) => void chains.push({ ...chain, id: `new ${chains.length}` }),
    removeChain: async (id: string) =>
      void chains.splice(
        chains.findIndex((chain) => chain.id === id),
        1,
      ),
  }
  const chain = shortChain(20, { finalized, known: 6 })
  return {
    chains,
    asked,
    feed,
    check: new ChainIdentityCheck({ chainId: 1, feed: { chain, upstreams: feed.upstreams }, upstreams, repository }),
  }
}

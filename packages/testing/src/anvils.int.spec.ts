import { startAnvils, type TestAnvils } from './anvils.js'

describe(startAnvils, () => {
  let anvils: TestAnvils

  beforeAll(async () => {
    anvils = await startAnvils({ count: 2, chainId: 61, hardfork: 'berlin' })
  })
  afterAll(() => anvils.stop())

  it('mines blocks at all nodes, on the requested chain', async () => {
    const hash = await anvils.send({}, 1)
    const block = await anvils.mine()
    expect(block.transactions).toEqual([hash])
    expect(block).not.toHaveProperty('baseFeePerGas')
    expect(await heads()).toEqual([block.hash, block.hash])
    expect(await of(1, 'eth_chainId')).toBe('0x3d')
  })

  it('takes a node out of step, and back in step', async () => {
    const [, before] = await heads()
    anvils.leave(1)
    const { hash } = await anvils.mine(3)
    expect(await heads()).toEqual([hash, before])
    anvils.rejoin(1)
    await anvils.keep()
    expect(await heads()).toEqual([hash, hash])
  })

  it('replaces the newest blocks by others, with or without their transactions', async () => {
    const kept = await anvils.send()
    const { hash, number } = await anvils.mine()
    await anvils.reorg(1)
    const receipt = await of<{ blockHash: string } | null>(1, 'eth_getTransactionReceipt', kept)
    expect(receipt?.blockHash).not.toBe(hash)
    expect(Number(await of(1, 'eth_blockNumber'))).toBe(Number(number) + 1)
    const lost = await anvils.send()
    await anvils.mine()
    await anvils.reorg(1, { lose: true })
    await anvils.mine()
    expect(await of(0, 'eth_getTransactionByHash', lost)).toBeNull()
    expect(new Set(await heads()).size).toBe(1)
  })

  it('removes the newest blocks', async () => {
    const [before] = await heads()
    await anvils.mine(2)
    await anvils.rollback(2)
    expect(await heads()).toEqual([before, before])
  })

  it('continues with the other node when one is killed, and brings it back', async () => {
    await anvils.kill(0)
    const { hash } = await anvils.mine()
    await expect(of(0, 'eth_chainId')).rejects.toThrow('fetch failed')
    await anvils.restart(0)
    expect(await heads()).toEqual([hash, hash])
  })

  it('continues without a node that hangs', async () => {
    await anvils.freeze(0)
    const { hash } = await anvils.mine()
    anvils.thaw(0)
    await anvils.keep()
    expect(await heads()).toEqual([hash, hash])
  })

  function of<T>(node: number, method: string, ...params: unknown[]): Promise<T> {
    const found = anvils.nodes[node]
    if (!found) throw new Error(`There is no node ${node}.`)
    return found.rpc.call(method, ...params)
  }

  async function heads(): Promise<string[]> {
    const blocks = await Promise.all(anvils.nodes.map(({ rpc }) => rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)))
    return blocks.map(({ hash }) => hash)
  }
})

it('nodes mine by themselves with a block time, and independently when out of step', async () => {
  const living = await startAnvils({ blockTime: 50 })
  const [node] = living.nodes
  while (Number(await node?.rpc.call('eth_blockNumber')) < 3) await living.keep()
  await living.stop()
  const alone = await startAnvils({ count: 2, inStep: false })
  await alone.mine()
  expect(await Promise.all(alone.nodes.map(({ rpc }) => rpc.call('eth_blockNumber')))).toEqual(['0x1', '0x0'])
  await alone.stop()
})

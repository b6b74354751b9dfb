import { randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@trestle/testing/eventually'
import { rpcPathOf } from '../../src/software/evm.js'
import { describeDriver } from '../drivers/driver-suite.js'
import { localHarness } from '../drivers/local-harness.js'

/** As a file of the catalogue names it. */
const GETH = { daemon: 'geth', software: 'geth-1.16.9', version: '1.16.9' } as const
/** The account that geth --dev gives ether, whose key is in its source. */
const FUNDED = '0x71562b71999873db5b286df957af199ec94617f7'

const harness = () => localHarness('eth', { geth: process.env.GETH }, GETH)

describeDriver('local, with geth', harness)

describe('a geth on a private chain', () => {
  it('makes blocks, is funded, speaks WebSocket, and answers at no other path than its secret one', async () => {
    const { driver, blueprint, close } = await harness()
    const local = driver()
    const password = randomBytes(24).toString('base64url')
    const machine = { id: `node-${randomUUID()}`, blueprint, running: true, password }
    const { host, port } = await eventually(async () => {
      await local.apply(machine)
      return (await local.observe(machine))?.address
    }, 'it has an address')
    const path = rpcPathOf(blueprint, password)
    const call = async (at: string, method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(`http://${host}:${port}${at}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return answer.ok ? ((await answer.json()) as { result: string }).result : answer.status
    }
    const called = (method: string, ...params: unknown[]) => call(path, method, ...params).catch(() => undefined)
    await eventually(async () => Number(await called('eth_blockNumber')) > 1 || undefined, 'it makes blocks')
    expect(Number(await called('eth_getBalance', FUNDED, 'latest'))).toBeGreaterThan(1e18)
    for (const other of ['/', '', `${path.slice(0, -1)}`, '/ws', '/rpc']) expect(await call(other, 'eth_chainId')).toBe(404)

    const opened = (at: string) => {
      const socket = new WebSocket(`ws://${host}:${port}${at}`)
      return new Promise<boolean>((resolve) => {
        socket.addEventListener('open', () => resolve(true))
        socket.addEventListener('error', () => resolve(false))
      }).finally(() => socket.close())
    }
    expect([await opened(path), await opened('/')]).toEqual([true, false])
    await close()
  })
})

import { eventually } from '@trestle/testing/eventually'
import { Wallet } from 'ethers'
import { callOf, postCall } from './exchange.js'
import { type FaultyStage, startFaultyStage } from './faulty-stage.js'
import { callRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'

const FROM = new Wallet(`0x${'77'.repeat(32)}`)
const OTHER = new Wallet(`0x${'88'.repeat(32)}`)

let stage: FaultyStage
beforeAll(async () => {
  stage = await startFaultyStage()
})
afterAll(() => stage.stop())

describe('a project with limits of its calls', () => {
  it('is limited by method, over HTTP, in a batch and over a WebSocket, and says so', async () => {
    const { url } = await project({ methods: [{ method: 'eth_getLogs', perSecond: 2 }] })
    const logs = callOf('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'earliest' }])
    const { text } = await postCall(url, `[${[logs, logs, logs, callOf('eth_chainId')].join()}]`)
    expect(JSON.parse(text).map(({ error }: { error?: object }) => error)).toEqual([
      undefined,
      undefined,
      {
        code: -32005,
        message: 'more calls of eth_getLogs than the project may send a second: 2; try again in 1 s',
        data: { limit: 2, resetAt: expect.any(String), by: 'method' },
      },
      undefined,
    ])
    const refused = await postCall(url, logs)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    const socket = await SocketCaller.open(url)
    await expect(socket.ask('eth_getLogs', {})).rejects.toThrow('more calls of eth_getLogs')
    expect(await socket.ask('eth_chainId')).toBe('0x7a69')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await postCall(url, logs)).status).toBe(200)
  })

  it('is limited by address, at all replicas together', async () => {
    const { url } = await project({ perAddress: 10 })
    const replica = await stage.gateway.replica()
    const all = [url, `${replica.url}/v1/${url.split('/').at(-1)}`]
    for (const each of all) expect((await callRpc(each, 'eth_chainId')).status).toBe(200)
    let admitted = 0
    const end = Date.now() + 4_000
    while (Date.now() < end) {
      const statuses = await Promise.all(all.map(async (each) => (await callRpc(each, 'eth_chainId')).status))
      admitted += statuses.filter((status) => status === 200).length
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    // 10 a second, and a second's worth at once in each of two.
    expect(admitted).toBeGreaterThanOrEqual(36)
    expect(admitted).toBeLessThan(72)
    await replica.stop()
  })

  it('is limited by the sender of transactions, which no node is asked for', async () => {
    const { url } = await project({ perSender: 2 })
    const send = async (wallet: Wallet, nonce: number) => callRpc(url, 'eth_sendRawTransaction', await signed(wallet, nonce))
    // Without a balance: nodes refuse them.
    for (const nonce of [0, 1]) expect((await send(FROM, nonce)).error?.message).not.toContain('than one sender may send')
    const message = `more transactions of ${FROM.address.toLowerCase()} than one sender may send through the project a minute: 2; try again in 30 s`
    expect(await send(FROM, 2)).toMatchObject({ status: 429, error: { code: -32005, message } })
    expect((await send(OTHER, 0)).error?.message).not.toContain('than one sender may send')
  })

  it('has none of them any more once they are removed', async () => {
    const { url, manage } = await project({ perAddress: 1, methods: [{ method: 'eth_*', perSecond: 1 }], perSender: 1 })
    const { body } = await manage('PATCH', '', { limits: { perAddress: null, perSender: null, methods: [] } })
    expect(Object.keys(body.limits)).toEqual(['perSecond', 'perDay'])
    await eventually(async () => {
      const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await callRpc(url, 'eth_chainId')).status))
      return statuses.every((status) => status === 200) || undefined
    }, 'nothing is limited')
  })

  it('keeps what a change does not name', async () => {
    const limits = { perAddress: 7, methods: [{ method: 'eth_getLogs', perSecond: 2 }], perSender: 3 }
    const { manage } = await project(limits)
    const { body } = await manage('PATCH', '', { limits: { perAddress: 8 } })
    expect(body.limits).toMatchObject({ ...limits, perAddress: 8, perSecond: expect.any(Number) })
    expect((await manage('GET', '')).body).toEqual(body)
  })

  it.each([
    [{ methods: [{ method: 'eth_nothing', perSecond: 1 }] }, 'UnknownMethod', 'body.limits.methods'],
    [{ methods: [{ method: 'debug_*', perSecond: 1 }] }, 'UnknownMethod', 'body.limits.methods'],
    [{ methods: [{ method: 'eth_call', perSecond: 0 }] }, 'InvalidInput', 'body.limits.methods[0].perSecond'],
    [{ methods: Array.from({ length: 21 }, () => ({ method: 'eth_call', perSecond: 1 })) }, 'InvalidInput', 'body.limits.methods'],
    [{ perAddress: 0 }, 'InvalidInput', 'body.limits.perAddress'],
    [{ perSender: 1.5 }, 'InvalidInput', 'body.limits.perSender'],
  ])('refuses %j with %s', async (limits, code, path) => {
    const { manage } = await project({})
    expect(await manage('PATCH', '', { limits })).toMatchObject({ status: 400, body: { code, errors: [{ path }] } })
  })
})

async function project(limits: object) {
  const url = await stage.gateway.project({ limits })
  const manage = (method: string, path: string, body?: unknown) =>
    callManagement(stage.gateway.service, method, `/projects/${url.split('/').at(-1)}${path}`, { token: stage.gateway.token, body })
  return { url, manage }
}

function signed(wallet: Wallet, nonce: number): Promise<string> {
  return wallet.signTransaction({ to: wallet.address, nonce, gasLimit: 21_000, chainId: 31_337, type: 0, gasPrice: 10n ** 10n, value: 1 })
}

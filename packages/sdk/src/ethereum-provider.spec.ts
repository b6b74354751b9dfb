import { BrowserProvider } from 'ethers'
import { createPublicClient, custom } from 'viem'
import { answering, answeringInTurn, atOnce, bodyOf, serving } from '../test/serving.js'
import type { EthereumProvider } from './ethereum-provider.js'
import { createTrestle, type TrestleOptions } from './trestle.js'

const ID = 'ab'.repeat(16)
const result = (value: unknown) => answering({ jsonrpc: '2.0', id: 1, result: value })
const failure = (error: object, status = 200, headers = {}) => answering({ jsonrpc: '2.0', id: null, error }, status, headers)

describe('a provider', () => {
  it('sends a call to its project, and gives the result', async () => {
    const bodies: unknown[] = []
    const { trestle, seen } = await serving(async (request, response) => {
      bodies.push(JSON.parse(await bodyOf(request)))
      result('0x7')(request, response)
    })
    const { request } = trestle.etc.provider({ id: ID })
    expect(await request({ method: 'eth_getBalance', params: ['0x0', 'latest'] })).toBe('0x7')
    expect(await request({ method: 'eth_blockNumber' })).toBe('0x7')
    expect([seen.map(({ method, url }) => `${method} ${url}`), bodies]).toEqual([
      [`POST /etc/v1/${ID}`, `POST /etc/v1/${ID}`],
      [
        { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x0', 'latest'] },
        { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' },
      ],
    ])
  })

  it('asks for a quorum by a header, and for none without', async () => {
    const { trestle, seen } = await serving(result('0x1'))
    await trestle.eth.provider({ id: ID }, { quorum: { agreeing: 2, nodes: 3 } }).request({ method: 'eth_call' })
    await trestle.eth.provider({ id: ID }).request({ method: 'eth_call' })
    expect(seen.map(({ headers }) => headers['trestle-quorum'])).toEqual(['2/3', undefined])
  })

  it('gives a result of null, which is one', async () => {
    const { provider } = await providing(result(null))
    expect(await provider.request({ method: 'eth_getTransactionReceipt', params: ['0x0'] })).toBeNull()
  })

  it('sends its token only where the project requires one, and a newer one when it is refused', async () => {
    const source = { current: async () => 'old', renew: async () => 'new' }
    const listener = answeringInTurn(result('0x1'), failure({ code: -32016, message: 'expired' }, 401), result('0x2'))
    const { trestle, seen } = await serving(listener, { token: source })
    await trestle.eth.provider({ id: ID, requireToken: false }).request({ method: 'eth_chainId' })
    expect(await trestle.eth.provider({ id: ID, requireToken: true }).request({ method: 'eth_chainId' })).toBe('0x2')
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer old', 'Bearer new'])
  })

  it.each([200, 401, 403, 404])('throws the error that was answered with a %s, with its code, message and data', async (status) => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const { provider } = await providing(failure(error, status))
    await expect(provider.request({ method: 'eth_call' })).rejects.toMatchObject({ name: 'RpcError', ...error })
  })

  it('tries again what only reads', async () => {
    const { waits, pacing } = atOnce()
    const busy = failure({ code: -32005, message: 'too many' }, 429, { 'retry-after': '2' })
    const { trestle } = await serving(answeringInTurn(busy, failure({ code: -32002, message: 'away' }, 503), result('0x1')), {}, pacing)
    expect(await trestle.eth.provider({ id: ID }).request({ method: 'eth_chainId' })).toBe('0x1')
    expect(waits).toEqual([2_000, 399])
  })

  it.each(['eth_sendRawTransaction', 'eth_getFilterChanges'])('sends %s once', async (method) => {
    const { provider, seen } = await providing(failure({ code: -32002, message: 'away' }, 503))
    await expect(provider.request({ method })).rejects.toMatchObject({ code: -32002 })
    expect(seen).toHaveLength(1)
  })

  it.each([
    [401, 4100],
    [403, 4100],
    [404, -32603],
    [429, -32005],
    [500, -32603],
    [502, -32002],
    [503, -32002],
  ])('says a %s without JSON-RPC by the code %i, with the problem as data', async (status, code) => {
    const { provider } = await providing(answering({ code: 'Refused', detail: 'No.' }, status), { retries: 0 })
    await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({
      name: 'RpcError',
      code,
      message: 'No.',
      data: { status, code: 'Refused' },
    })
  })

  it('says so when nobody is there, or nobody answers in time, or what is answered is none of it', async () => {
    const nobody = createTrestle({ url: 'http://127.0.0.1:1', retries: 0 }).eth.provider({ id: ID })
    const silent = await providing(() => undefined, { timeoutMs: 20 })
    const strange = await providing(answering({ jsonrpc: '2.0' }))
    await expect(nobody.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900, data: { code: 'Unreachable' } })
    await expect(silent.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: -32002, data: { code: 'Timeout' } })
    await expect(strange.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: -32603 })
  })

  it('ends all its calls with the reason of its signal', async () => {
    const end = new AbortController()
    const reason = new Error('enough')
    const { trestle } = await serving(() => end.abort(reason))
    const { request } = trestle.eth.provider({ id: ID }, { signal: end.signal })
    await expect(Promise.allSettled([request({ method: 'eth_chainId' }), request({ method: 'net_version' })])).resolves.toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
  })
})

describe('the provider is taken as it is', () => {
  const reverted = failure({ code: 3, message: 'execution reverted: no', data: '0x' })

  it("by viem's custom transport, which reads its errors", async () => {
    const { provider } = await providing(answeringInTurn(result('0x7'), result('0x2a'), reverted))
    const client = createPublicClient({ transport: custom(provider) })
    expect([await client.getBlockNumber(), await client.getChainId()]).toEqual([7n, 42])
    await expect(client.call({ to: `0x${'00'.repeat(20)}` })).rejects.toMatchObject({
      name: 'CallExecutionError',
      details: 'execution reverted: no',
    })
  })

  it("by ethers' BrowserProvider, which reads its errors", async () => {
    const { provider } = await providing(async (request, response) => {
      const { method } = JSON.parse(await bodyOf(request)) as { method: string }
      const answers = { eth_chainId: result('0x2a'), eth_blockNumber: result('0x7') }
      const answer = answers[method as keyof typeof answers] ?? reverted
      answer(request, response)
    })
    const ethers = new BrowserProvider(provider)
    expect([await ethers.getBlockNumber(), (await ethers.getNetwork()).chainId]).toEqual([7, 42n])
    await expect(ethers.call({ to: `0x${'00'.repeat(20)}` })).rejects.toMatchObject({ code: 'CALL_EXCEPTION' })
    ethers.destroy()
  })
})

async function providing(
  listener: Parameters<typeof serving>[0],
  options?: Partial<TrestleOptions>,
): Promise<{ provider: EthereumProvider; seen: Awaited<ReturnType<typeof serving>>['seen'] }> {
  const { trestle, seen } = await serving(listener, options)
  return { provider: trestle.eth.provider({ id: ID }), seen }
}

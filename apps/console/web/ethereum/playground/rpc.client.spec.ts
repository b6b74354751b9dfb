import { jsonResponse, stubFetch } from '../../testing/stub-fetch.js'
import { callFailure, rpcRequest, sendCall } from './rpc.client.js'

let stub: ReturnType<typeof stubFetch> | undefined
afterEach(() => stub?.restore())

describe(sendCall, () => {
  it('posts the request to the project', async () => {
    stub = stubFetch(() => jsonResponse({ jsonrpc: '2.0', id: 1, result: '0x7' }))
    const call = await sendCall('eth', 'abc', 'eth_blockNumber', [])
    expect(stub.sent[0]).toMatchObject({ url: '/api/eth/v1/abc', method: 'POST' })
    expect(JSON.parse(String(stub.sent[0]?.body))).toEqual(rpcRequest('eth_blockNumber', []))
    expect(call).toMatchObject({ method: 'eth_blockNumber', status: 200, answer: { result: '0x7' }, bytes: 39 })
  })

  it('keeps an answer that is not JSON as text', async () => {
    stub = stubFetch(() => new Response('Bad Gateway', { status: 502 }))
    expect(await sendCall('eth', 'abc', 'eth_chainId', [])).toMatchObject({ status: 502, answer: 'Bad Gateway' })
  })

  it('says that the platform cannot be reached where nothing comes back', async () => {
    stub = stubFetch(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(sendCall('eth', 'abc', 'eth_chainId', [])).rejects.toMatchObject({ code: 'Unreachable' })
  })

  it('notices a session that has ended', async () => {
    stub = stubFetch(() => jsonResponse({ code: 'Unauthorized', detail: 'Sign in.' }, 401))
    await expect(sendCall('eth', 'abc', 'eth_chainId', [])).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe(callFailure, () => {
  it.each([
    [{ result: '0x1' }, undefined],
    [{ error: { code: 3, message: 'execution reverted', data: '0x' } }, { code: 3, message: 'execution reverted' }],
    [
      { code: 'UnknownProject', detail: 'No such project.' },
      { code: 0, message: 'No such project.' },
    ],
    ['Bad Gateway', undefined],
    [null, undefined],
  ])('of %j is %j', (answer, expected) => {
    const failure = callFailure({ answer })
    if (expected) expect(failure).toMatchObject(expected)
    else expect(failure).toBeUndefined()
  })
})

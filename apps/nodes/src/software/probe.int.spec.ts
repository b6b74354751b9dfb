import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import { ProbeClient, type ProbedMachine } from './probe.client.js'

const chain = { blocks: 7, headers: 7, verificationprogress: 1, initialblockdownload: false }
const good = [
  { id: 0, result: chain, error: null },
  { id: 1, result: { connections: 2 }, error: null },
]

describe(ProbeClient, () => {
  let probe: ProbeClient
  let server: Server
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  beforeAll(async () => {
    probe = new ProbeClient()
    server = createServer((request, response) => answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    await probe.onApplicationShutdown()
    server.closeAllConnections()
    server.close()
  })

  it('calls with the password, and returns the status', async () => {
    const asked: { authorization?: string; body: string } = { body: '' }
    answer = async (request, response) => {
      asked.authorization = request.headers.authorization
      for await (const chunk of request) asked.body += chunk
      response.end(JSON.stringify(good.toReversed()))
    }
    expect(await probe.probe(machine())).toEqual({ height: 7, lag: 0, progress: 1, peers: 2, synced: true })
    expect(Buffer.from(asked.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe('trestle:secret')
    expect(JSON.parse(asked.body)).toEqual([
      { jsonrpc: '1.0', id: 0, method: 'getblockchaininfo', params: [] },
      { jsonrpc: '1.0', id: 1, method: 'getnetworkinfo', params: [] },
    ])
  })

  it.each([
    ['each answer', [0, 1].map((id) => ({ id, result: null, error: { code: -28, message: 'Verifying blocks…' } }))],
    ['the whole', { id: null, result: null, error: { code: -28, message: 'Verifying blocks…' } }],
  ])('passes on what it waits for while it warms up, said of %s', async (_, body) => {
    answer = (_request, response) => void response.writeHead(500).end(JSON.stringify(body))
    expect(await probe.probe(machine())).toMatchObject({ synced: false, warmingUp: 'Verifying blocks…' })
  })

  it.each([
    ['HTML', '<html>', 'answered with status 200 and no valid JSON-RPC'],
    ['half of an answer', '[{"id":0,"result":', 'answered with status 200 and no valid JSON-RPC'],
    ['nothing', '', 'answered with status 200 and an empty body'],
    ['a number', '7', 'answered with status 200 and no valid JSON-RPC'],
    ['an answer too few', JSON.stringify(good.slice(1)), 'did not answer every call'],
    ['a chain without a height', JSON.stringify([{ id: 0, result: {} }, good[1]]), 'sent an invalid answer: 0.blocks'],
    [
      'a refusal',
      JSON.stringify([{ id: 0, error: { code: -32601, message: 'Method not found' } }, good[1]]),
      'refused getblockchaininfo: Method not found (-32601)',
    ],
  ])('says what is wrong with %s', async (_, body, message) => {
    answer = (_request, response) => void response.end(body)
    await expect(probe.probe(machine())).rejects.toThrow(
      expect.objectContaining({ name: 'ProbeFailed', message: expect.stringContaining(`litecoind ${message}`) }),
    )
  })

  it('reads no more than a megabyte', async () => {
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
      }
      response.on('drain', more)
      more()
    }
    await expect(probe.probe(machine())).rejects.toThrow(
      expect.objectContaining({ name: 'ProbeFailed', message: 'litecoind sent more than 1048576 bytes.' }),
    )
  })

  it('distinguishes a wrong password from an unreachable node', async () => {
    answer = (_request, response) => void response.writeHead(401).end()
    await expect(probe.probe(machine())).rejects.toThrow("litecoind rejects the gateway's password.")
    answer = (request) => void request.socket.destroy()
    await expect(probe.probe(machine())).rejects.toThrow(/^litecoind cannot be reached: /)
    const nowhere = { ...machine(), address: { host: '127.0.0.1', port: 1 } }
    await expect(probe.probe(nowhere)).rejects.toThrow('litecoind cannot be reached: ECONNREFUSED.')
  })

  it('adds missing peers, removes former ones, and connects those that are away', async () => {
    const asked: unknown[][] = []
    answer = async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const calls = JSON.parse(body) as { id: number; method: string; params: unknown[] }[]
      asked.push(calls.map(({ method, params }) => [method, ...params]))
      response.end(
        JSON.stringify(
          calls.map(({ id, method }) => ({
            id,
            error: null,
            result:
              method === 'getaddednodeinfo' ? [1, 2, 4].map((port) => ({ addednode: `127.0.0.1:${port}`, connected: port === 2 })) : null,
          })),
        ),
      )
    }
    await probe.connectPeers(
      machine(),
      [2, 3, 4].map((port) => ({ host: '127.0.0.1', port })),
    )
    expect(asked).toEqual([
      [['getaddednodeinfo']],
      [
        ['addnode', '127.0.0.1:3', 'add'],
        ['addnode', '127.0.0.1:1', 'remove'],
        ['addnode', '127.0.0.1:4', 'onetry'],
      ],
    ])
  })

  function machine(): ProbedMachine {
    const blueprint = findByImage(builtInCatalogue('local'), 'ltc', 'standard')!
    return { blueprint, password: 'secret', address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port } }
  }
})

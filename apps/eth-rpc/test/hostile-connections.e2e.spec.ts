import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { Logger } from '@trestle/runtime/logger'
import { eventually } from '@trestle/testing/eventually'
import { WebSocket } from 'ws'
import { callOf, postCall } from './exchange.js'
import { startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { callRpc } from './json-rpc.js'
import { SocketCaller } from './socket-caller.js'
import { type SoundnessStage, staysHealthy } from './soundness.js'

const SOMEBODY = `0x${'12'.repeat(20)}`
const CALL = callOf('eth_chainId')
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
/** Returns three megabytes of nothing. */
const LARGE = { to: SOMEBODY, gas: '0x1c9c380' }
const LARGE_CODE = { [SOMEBODY]: { code: '0x623000006000f3' } }
const LARGE_LENGTH = 2 * 3 * 2 ** 20 + 4

let stage: SoundnessStage
let url: string
beforeAll(async () => {
  stage = await startFaultyStage()
  url = stage.url
})
staysHealthy(() => stage)
afterAll(() => stage.stop())

describe('a connection', () => {
  it('with an unread large answer affects no other', async () => {
    const call = callOf('eth_call', [LARGE, 'latest', LARGE_CODE])
    const readers = await Promise.all(Array.from({ length: 8 }, () => open()))
    for (const reader of readers) reader.pause().write(requestOf(call))
    await delay(500)
    for (let i = 0; i < 20; i++) expect(await postCall(url, CALL)).toMatchObject({ text: ANSWER })
    const [first, ...others] = readers as [Socket, ...Socket[]]
    for (const other of others) other.destroy()
    const answer = await read(first, LARGE_LENGTH)
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'00'.repeat(3 * 2 ** 20)}` }),
    )
    first.destroy()
  })

  it('may be one of a thousand idle ones', async () => {
    const idle = await Promise.all(Array.from({ length: 1000 }, () => open()))
    await Promise.all(idle.map((socket) => exchange(socket, CALL)))
    expect(await postCall(url, CALL)).toMatchObject({ text: ANSWER })
    expect(await exchange(idle[500]!, CALL)).toContain(ANSWER)
    for (const socket of idle) socket.destroy()
  })

  it('with pipelined requests gets the answers in order', async () => {
    const socket = await open()
    const ids = Array.from({ length: 100 }, (_, i) => i)
    // What is asked of a node, and what is answered at once.
    socket.write(
      ids.map((id) => requestOf(id % 2 ? callOf('eth_chainId', [], id) : callOf('eth_getProof', [SOMEBODY, [], 'latest'], id))).join(''),
    )
    const answers = await eventually(() => {
      const found = [...receivedOn(socket).matchAll(/"id":(\d+),"result"/g)].map(([, id]) => Number(id))
      return found.length === ids.length ? found : undefined
    }, 'all are answered')
    expect(answers).toEqual(ids)
    socket.destroy()
  })

  it('that breaks during a request, or before its answer, leaves nothing behind', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open()))
    for (const [i, socket] of sockets.entries()) {
      const text = requestOf(callOf('eth_call', [LARGE, 'latest', LARGE_CODE]))
      socket.write(i % 2 ? text : text.slice(0, -10))
    }
    await delay(50)
    for (const socket of sockets) socket.resetAndDestroy()
    expect(await postCall(url, CALL)).toMatchObject({ text: ANSWER })
  })
})

describe('a WebSocket', () => {
  it('accepts binary messages like text', async () => {
    const socket = await webSocket()
    socket.send(Buffer.from(CALL), { binary: true })
    const [answer, isBinary] = await once(socket, 'message')
    expect([String(answer), isBinary]).toEqual([ANSWER, false])
    socket.close()
  })

  it('accepts a fragmented message', async () => {
    const socket = await webSocket()
    for (const [i, letter] of [...CALL].entries()) socket.send(letter, { fin: i === CALL.length - 1 })
    expect(String((await once(socket, 'message'))[0])).toBe(ANSWER)
    socket.close()
  })

  it.each([
    ['says too much at once', 1009, (socket: WebSocket) => socket.send(' '.repeat(5 * 1024 * 1024 + 1))],
    ['says text that is none', 1007, (socket: WebSocket) => socket.send(Buffer.from([0xff]), { binary: false })],
  ])('that %s is closed', async (_, code, speak) => {
    const socket = await webSocket()
    speak(socket)
    expect((await once(socket, 'close'))[0]).toBe(code)
  })

  it('answers every call, however many are pending', async () => {
    const caller = await SocketCaller.open(url)
    const answers = await Promise.all(Array.from({ length: 2000 }, (_, i) => caller.ask(i % 2 ? 'eth_chainId' : 'eth_gasPrice')))
    expect(new Set(answers).size).toBe(2)
    caller.close()
  })

  it.each([
    [[], '-32601'],
    [['newBlocks'], '-32601'],
    [['NewHeads'], '-32601'],
    [['__proto__'], '-32601'],
    [[1], '-32601'],
    [['logs', 'x'], '-32602'],
    [['logs', { address: 'x' }], '-32602'],
    [['logs', { topics: [1] }], '-32602'],
    [['newPendingTransactions', 'true'], '-32602'],
  ])('refuses a subscription to %j', async (params, code) => {
    const caller = await SocketCaller.open(url)
    await expect(caller.ask('eth_subscribe', ...params)).rejects.toThrow(code)
    caller.close()
  })

  it('has at most a thousand subscriptions, and cannot end those of others', async () => {
    const [caller, other] = [await SocketCaller.open(url), await SocketCaller.open(url)]
    const ids = await Promise.all(Array.from({ length: 1000 }, () => caller.ask<string>('eth_subscribe', 'newHeads')))
    expect(new Set(ids).size).toBe(1000)
    await expect(caller.ask('eth_subscribe', 'newHeads')).rejects.toThrow('-32005')
    await expect(other.ask('eth_unsubscribe', ids[0])).rejects.toThrow('-32000')
    expect(await caller.ask('eth_unsubscribe', ids[0])).toBe(true)
    await expect(caller.ask('eth_unsubscribe', ids[0])).rejects.toThrow('-32000')
    caller.close()
    other.close()
  })
})

it('metrics get no series from what callers make up', async () => {
  const series = async () => {
    const text = await (await fetch(`${stage.gateway.service.internalUrl}/metrics`)).text()
    const ours = text.split('\n').filter((line) => !line.startsWith('nodejs_'))
    return { text, names: new Set(ours.map((line) => line.replace(/ [^ ]+$/, ''))) }
  }
  await callRpc(url, 'eth_noSuchMethod')
  const before = await series()
  for (let i = 0; i < 50; i++) {
    await callRpc(url, `eth_madeUp${i}`)
    await callRpc(`${stage.gateway.service.url}/v1/madeUp${i}`, 'eth_chainId')
    await postCall(url, callOf('eth_chainId', [], `madeUp${i}`), { 'user-agent': `madeUp${i}`, origin: `https://madeUp${i}` })
  }
  const after = await series()
  expect([...after.names].filter((name) => !before.names.has(name))).toEqual([])
  expect(after.text).not.toMatch(/madeUp/i)
})

it('the log contains no transactions, tokens, projects or node addresses', async () => {
  const logger = stage.gateway.service.app.get(Logger) as unknown as Record<symbol, { write(line: string): void }> & { level: string }
  const stream = Object.getOwnPropertySymbols(logger).find(({ description }) => description === 'pino.stream')
  const lines: string[] = []
  const write = jest.spyOn(logger[stream!]!, 'write').mockImplementation((line) => void lines.push(line))
  const before = logger.level
  logger.level = 'trace'

  const token = stage.gateway.issuer.client()
  const guarded = await stage.gateway.project({ ...UNLIMITED, requireToken: true })
  const raw = await stage.sign()
  await postCall(guarded, CALL, { authorization: `Bearer ${token}` })
  await postCall(url, callOf('eth_sendRawTransaction', [raw]), { authorization: `Bearer ${token}` })
  await postCall(url, callOf('eth_sendRawTransaction', [raw.slice(0, -2)]))
  await postCall(`${stage.gateway.service.url}/projects`, '{"name":1}', { authorization: `Bearer ${token}` })
  await fetch(url)
  await SocketCaller.open(url).then((caller) => caller.close())
  await stage.upstreams[0]!.fail({ kind: 'dead' })
  await stage.upstreams[1]!.fail({ kind: 'status', status: 500 })
  await eventually(async () => lines.some((line) => line.includes('node-0')) || undefined, 'it is logged that a node is gone')
  await callRpc(url, 'eth_getProof', SOMEBODY, [], 'latest')
  await stage.heal()

  write.mockRestore()
  logger.level = before
  const log = lines.join('')
  expect(log).toContain('/projects')
  const projects = [url, guarded].map((each) => each.replace(/^.*\//, ''))
  const secrets = [raw.slice(0, 60), token, token.split('.')[2]!, ...projects, ...stage.upstreams.map(({ url }) => new URL(url).host)]
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})

const received = new WeakMap<Socket, Buffer[]>()

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const parts: Buffer[] = []
  received.set(socket, parts)
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => {})
  return socket
}

function receivedOn(socket: Socket): string {
  return Buffer.concat(received.get(socket) ?? []).toString()
}

function requestOf(body: string): string {
  return `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Goes on until so much is there. */
async function read(socket: Socket, length: number): Promise<string> {
  socket.resume()
  const size = () => (received.get(socket) ?? []).reduce((sum, part) => sum + part.length, 0)
  await eventually(() => size() > length || undefined, 'all is read')
  return receivedOn(socket)
}

async function exchange(socket: Socket, call: string): Promise<string> {
  received.get(socket)!.length = 0
  socket.write(requestOf(call))
  return eventually(() => (receivedOn(socket).endsWith('}') ? receivedOn(socket) : undefined), 'it is answered')
}

async function webSocket(): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  return socket
}

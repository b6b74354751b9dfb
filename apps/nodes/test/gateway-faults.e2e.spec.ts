import type { ServerResponse } from 'node:http'
import type { JsonReply } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { callMachine, type GatewayUnderTest, type Held, startGateway } from './gateway/gateway-under-test.js'
import { echoBody, type RecordingMachine, startRecordingMachine } from './gateway/recording-machine.js'
import { refusalOf } from './gateway/requests.js'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

let gateway: GatewayUnderTest
let machine: RecordingMachine
let node: Held
let bitcoin: Held

beforeAll(async () => {
  ;[gateway, machine] = await Promise.all([startGateway(), startRecordingMachine()])
  node = await gateway.node(machine)
  bitcoin = await gateway.node({ url: machine.url, password: 'p:w' }, { chain: 'ltc', network: 'mainnet' })
})
beforeEach(() => machine.answers())
afterAll(async () => {
  await gateway.stop()
  await machine.stop()
})

describe('a node that does badly', () => {
  it('is away', async () => {
    const gone = await startRecordingMachine()
    const held = await gateway.node(gone)
    expect((await callMachine(held, 'eth_chainId')).status).toBe(200)
    await gone.stop()
    expect(refusalOf(await callMachine(held, 'eth_chainId'))).toEqual([502, 'NodeUnreachable'])
  })

  it('breaks off before its answer began', async () => {
    machine.answers((response) => response.socket?.resetAndDestroy())
    expect(refusalOf(await callMachine(node, 'eth_chainId'))).toEqual([502, 'NodeFailed'])
  })

  it('breaks off within a small answer', async () => {
    machine.answers((response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{"result"', () => response.socket?.resetAndDestroy()),
    )
    expect(refusalOf(await callMachine(node, 'eth_chainId'))).toEqual([502, 'NodeFailed'])
  })

  it('breaks off within a large answer: so does ours', async () => {
    machine.answers((response) => response.writeHead(200).write('x'.repeat(1_000_000), () => response.socket?.resetAndDestroy()))
    await expect(callMachine(node, 'eth_chainId')).rejects.toThrow()
  })

  it('does not answer in time', async () => {
    const { deadlineMs } = gateway.bounds
    gateway.bounds.deadlineMs = 100
    machine.answers(() => undefined)
    expect(refusalOf(await callMachine(node, 'eth_chainId'))).toEqual([504, 'NodeTimeout'])
    gateway.bounds.deadlineMs = deadlineMs
  })

  it('answers more than is passed on', async () => {
    const { answerBytes } = gateway.bounds
    gateway.bounds.answerBytes = 1_000_000
    machine.answers((response) => response.writeHead(200, { 'content-length': '1000001' }).write('x'))
    expect(refusalOf(await callMachine(node, 'eth_chainId'))).toEqual([502, 'AnswerTooLarge'])
    machine.answers((response) => endless(response))
    await expect(callMachine(node, 'eth_chainId')).rejects.toThrow()
    gateway.bounds.answerBytes = answerBytes
  })

  it('does not let the gateway in', async () => {
    machine.answers((response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end())
    const answer = await callMachine(bitcoin, 'getblockcount')
    expect(refusalOf(answer)).toEqual([502, 'NodeLocked'])
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })

  it('has too much to do', async () => {
    machine.answers((response) => response.writeHead(503).end('Work queue depth exceeded'))
    expect(refusalOf(await callMachine(bitcoin, 'getblockcount'))).toEqual([503, 'NodeBusy'])
  })

  it('is not worked for any more once its caller is gone', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    machine.answers((response) => response.once('close', resolve))
    const leaving = new AbortController()
    const asked = fetch(node.url, {
      method: 'POST',
      headers: { authorization: node.authorization, 'content-type': 'application/json' },
      body: CALL,
      signal: leaving.signal,
    })
    await eventually(() => machine.received.length || undefined, 'it was asked')
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await promise
  })
})

describe('many calls of one node', () => {
  it('are refused beyond 64 at once, and others are answered', async () => {
    const waiting: (() => void)[] = []
    machine.answers((response, received) => waiting.push(() => echoBody(response, received)))
    const calls = Array.from({ length: 100 }, () => callMachine(node, 'eth_chainId'))
    const refused = await eventually(async () => {
      const settled = await Promise.all(calls.map((each) => Promise.race([each, undefined])))
      const done = settled.filter((each) => each !== undefined)
      return done.length === 36 ? done : undefined
    }, 'those that are too many are refused')
    expect(new Set(refused.map((each) => refusalOf(each as JsonReply).join()))).toEqual(new Set(['429,TooManyCalls']))
    await eventually(() => waiting.length === 64 || undefined, 'the others wait')
    const other = callMachine(bitcoin, 'getblockcount')
    await eventually(() => waiting.length === 65 || undefined, 'another node is called')
    for (const answer of waiting) answer()
    expect((await other).status).toBe(200)
    expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(64)
    machine.answers()
    expect((await callMachine(node, 'eth_chainId')).status).toBe(200)
  })
})

function endless(response: ServerResponse): void {
  response.writeHead(200)
  const go = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', go)
  }
  go()
}

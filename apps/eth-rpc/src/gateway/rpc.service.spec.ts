import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { latencyBucketOf } from '@trestle/contracts/eth-rpc/latency'
import type { Logger } from '@trestle/runtime/logger'
import { UsageMeter } from '@trestle/usage/usage-meter'
import type { FailureLog } from '../failures/failure-log.engine.js'
import { errorOf, resultOf } from '../framing/outcome.js'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { methodNamed } from '../methods/method.js'
import type { LiveProjects } from '../projects/live-projects.engine.js'
import { type CallSum, PROJECT_USAGE } from '../usage/project-usage.js'
import type { CallContext } from './call-context.js'
import type { CallExecutionService, CallResult } from './call-execution.service.js'
import type { CallMetrics } from './call-metrics.engine.js'
import { CallRecordsService } from './call-records.service.js'
import { type RpcReply, RpcService } from './rpc.service.js'

const BODY = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}')
const CHAIN_ID = methodNamed('eth_chainId')
const BUG = new Error('a bug')

describe(RpcService, () => {
  it('sends the answer synchronously where no upstream is needed', async () => {
    const { served, sent } = serve({})
    expect(sent).toEqual([[200, { jsonrpc: '2.0', id: 1, result: '0x1' }]])
    await served
  })

  it.each([
    ['at once', false],
    ['later', true],
  ])('answers an internal error when a call answered %s cannot be counted, and logs why', async (_, isLate) => {
    const { served, sent, error } = serve({ isLate, count: fail })
    await served
    expect(sent).toEqual([[500, { jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'something went wrong on our side' } }]])
    expect(error).toHaveBeenCalledWith({ err: BUG }, 'a request failed')
  })

  it('sends nothing more after a failed send, and logs why', async () => {
    const { served, sent, error } = serve({ onSend: fail })
    await served
    expect(sent).toHaveLength(1)
    expect(error).toHaveBeenCalledWith({ err: BUG }, 'a request failed')
  })
})

describe('the usage of a call', () => {
  it('includes the time until the answer', async () => {
    const begun = performance.now()
    const { served, meter } = serve({ isLate: true })
    await served
    const slowest = latencyBucketOf(performance.now() - begun)
    const [sums] = meter.take()
    expect(sums).toMatchObject({ method: 'eth_chainId', calls: 1, computeUnits: CHAIN_ID?.computeUnits, errors: 0 })
    expect(sums?.latency.slice(0, slowest + 1).reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  it('has no latency for a refused call: a project over its limit would look fast', async () => {
    const failure = new RpcFailure({ code: RPC_CODE.limit, message: 'too much' }, 429)
    const { served, meter } = serve({ failure })
    await served
    expect(meter.take()).toMatchObject([
      { method: 'eth_chainId', calls: 1, computeUnits: 0, errors: 1, latency: PROJECT_USAGE.table.none().latency },
    ])
  })
})

describe('a batch of a thousand calls', () => {
  const CALLS = Array.from({ length: 1000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }))

  it('is answered in its order, a hundred at a time', async () => {
    let [running, most] = [0, 0]
    const execute = async (): Promise<CallResult> => {
      most = Math.max(most, ++running)
      await delay(1)
      running--
      return { outcome: resultOf('0x1'), method: CHAIN_ID }
    }
    const answers = await answersTo(CALLS, execute)
    expect(answers).toEqual(CALLS.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })))
    expect(most).toBe(100)
  })

  it('ends where its answers are too large: what is left costs nothing', async () => {
    const large = resultOf('x'.repeat(2 * 1024 * 1024))
    const execute = jest.fn(async (): Promise<CallResult> => ({ outcome: large, method: CHAIN_ID }))
    const answers = await answersTo(CALLS, execute)
    expect(execute.mock.calls.length).toBeLessThan(120)
    expect(answers.filter(({ result }) => result)).toHaveLength(15)
    expect(answers.at(-1)).toEqual({ jsonrpc: '2.0', id: 999, error: { code: -32_003, message: 'response too large' } })
  })
})

async function answersTo(calls: readonly object[], execute: () => Promise<CallResult>): Promise<{ id: number; result?: string }[]> {
  const meter = new UsageMeter<CallSum>(PROJECT_USAGE.table.none, () => {})
  const rpc = rpcOver(execute)
  const sent: Buffer[] = []
  await rpc.respond(Buffer.from(JSON.stringify(calls)), { project: { meter } } as unknown as CallContext, ({ answer }) => {
    sent.push(...answer)
  })
  return JSON.parse(Buffer.concat(sent).toString())
}

function rpcOver(execute: CallExecutionService['execute'], error: () => void = () => {}): RpcService {
  const gateway = { execute } as unknown as CallExecutionService
  const metrics = { count: () => {} } as unknown as CallMetrics
  const records = new CallRecordsService(metrics, { note: () => {} } as unknown as FailureLog)
  return new RpcService({} as LiveProjects, gateway, records, { error } as unknown as Logger)
}

function fail(): never {
  throw BUG
}

interface Turns {
  readonly isLate?: boolean
  readonly failure?: RpcFailure
  readonly count?: () => void
  readonly onSend?: () => void
}

/** One call, and what was sent for it. */
function serve({ isLate = false, failure, count = () => {}, onSend = () => {} }: Turns) {
  const meter = new UsageMeter<CallSum>(PROJECT_USAGE.table.none, count)
  const done = { outcome: failure ? errorOf(failure.error) : resultOf('0x1'), method: CHAIN_ID, failure }
  const error = jest.fn()
  const rpc = rpcOver(() => (isLate ? Promise.resolve(done) : done), error)
  const sent: unknown[] = []
  const send = ({ status, answer }: RpcReply) => {
    sent.push([status, JSON.parse(Buffer.concat(answer).toString())])
    onSend()
  }
  return { served: rpc.respond(BODY, { project: { meter } } as unknown as CallContext, send), sent, error, meter }
}

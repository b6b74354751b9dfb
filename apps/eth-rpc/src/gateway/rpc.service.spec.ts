import { jest } from '@jest/globals'
import { latencyBucketOf } from '@trestle/contracts/eth-rpc/latency'
import type { Logger } from '@trestle/runtime/logger'
import { UsageMeter } from '@trestle/usage/usage-meter'
import { errorOf, resultOf } from '../framing/outcome.js'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { methodNamed } from '../methods/method.js'
import type { LiveProjects } from '../projects/live-projects.engine.js'
import { type CallSum, PROJECT_USAGE } from '../usage/project-usage.js'
import type { CallContext } from './call-context.js'
import type { CallExecutionService } from './call-execution.service.js'
import type { CallMetrics } from './call-metrics.engine.js'
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
  const gateway = { execute: () => (isLate ? Promise.resolve(done) : done) } as unknown as CallExecutionService
  const error = jest.fn()
  const rpc = new RpcService({} as LiveProjects, gateway, { count: () => {} } as unknown as CallMetrics, { error } as unknown as Logger)
  const sent: unknown[] = []
  const send = ({ status, answer }: RpcReply) => {
    sent.push([status, JSON.parse(Buffer.concat(answer).toString())])
    onSend()
  }
  return { served: rpc.respond(BODY, { project: { meter } } as unknown as CallContext, send), sent, error, meter }
}

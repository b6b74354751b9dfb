import { jest } from '@jest/globals'
import type { Logger } from '@trestle/runtime/logger'
import { errorOf, resultOf } from '../framing/outcome.js'
import { CODE, RpcFailure } from '../framing/rpc-error.js'
import { methodNamed } from '../methods/method.js'
import type { CallContext } from './call-context.js'
import type { CallMetrics } from './call-metrics.service.js'
import { type Exchange, Exchanges } from './exchanges.service.js'
import type { Gateway } from './gateway.service.js'

const BODY = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}')
const CHAIN_ID = methodNamed('eth_chainId')
const BUG = new Error('a bug')

describe(Exchanges, () => {
  it('sends the answer before anything is waited for where nobody has to be asked', async () => {
    const { served, sent } = serve({})
    expect(sent).toEqual([[200, { jsonrpc: '2.0', id: 1, result: '0x1' }]])
    await served
  })

  it.each([
    ['at once', false],
    ['later', true],
  ])('answers that something went wrong where a call that is answered %s cannot be counted, and logs why', async (_, isLate) => {
    const { served, sent, error } = serve({ isLate, count: fail })
    await served
    expect(sent).toEqual([[500, { jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'something went wrong on our side' } }]])
    expect(error).toHaveBeenCalledWith({ err: BUG }, 'an exchange failed')
  })

  it('sends nothing more where the sending failed, and logs why', async () => {
    const { served, sent, error } = serve({ onSend: fail })
    await served
    expect(sent).toHaveLength(1)
    expect(error).toHaveBeenCalledWith({ err: BUG }, 'an exchange failed')
  })
})

describe('what a call is counted as', () => {
  it('has the time until its answer was there', async () => {
    const count = jest.fn()
    const begun = performance.now()
    await serve({ isLate: true, count }).served
    const most = performance.now() - begun
    const [[, { ms }]] = count.mock.calls as [[number, { ms: number }]]
    expect(ms).toBeGreaterThan(0)
    expect(ms).toBeLessThanOrEqual(most)
  })

  it('has no time where it was not let in: a project over its limit would seem quick', async () => {
    const count = jest.fn()
    const failure = new RpcFailure({ code: CODE.limit, message: 'too much' }, 429)
    await serve({ failure, count }).served
    expect(count).toHaveBeenCalledWith(CHAIN_ID?.index, expect.objectContaining({ computeUnits: 0, failed: true, ms: undefined }))
  })
})

function fail(): never {
  throw BUG
}

interface Turns {
  readonly isLate?: boolean
  readonly failure?: RpcFailure
  readonly count?: (...counted: unknown[]) => void
  readonly onSend?: () => void
}

/** One call, and what was sent for it. */
function serve({ isLate = false, failure, count = () => {}, onSend = () => {} }: Turns) {
  const done = { outcome: failure ? errorOf(failure.error) : resultOf('0x1'), method: CHAIN_ID, failure }
  const gateway = { execute: () => (isLate ? Promise.resolve(done) : done) } as unknown as Gateway
  const error = jest.fn()
  const exchanges = new Exchanges(gateway, { count: () => {} } as unknown as CallMetrics, { error } as unknown as Logger)
  const sent: unknown[] = []
  const send = ({ status, answer }: Exchange) => {
    sent.push([status, JSON.parse(Buffer.concat(answer).toString())])
    onSend()
  }
  return { served: exchanges.serve(BODY, { project: { meter: { count } } } as unknown as CallContext, send), sent, error }
}

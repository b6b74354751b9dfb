import { jest } from '@jest/globals'
import type { Logger } from '@trestle/runtime/logger'
import type { FiltersService } from '../filters/filters.service.js'
import { resultOf } from '../framing/outcome.js'
import type { LimitsService } from '../limits/limits.service.js'
import type { AnswersService } from './answers.service.js'
import type { CallContext } from './call-context.js'
import { CallExecutionService } from './call-execution.service.js'

const CALL = { id: '1', method: 'eth_chainId', params: [] }
const CONTEXT = { project: {} } as CallContext

describe(CallExecutionService, () => {
  it.each([
    [
      'at once',
      () => {
        throw new Error('a bug')
      },
    ],
    ['later', () => Promise.reject(new Error('a bug'))],
  ])('answers an unexpected error thrown %s with an internal error, and logs it', async (_, answer) => {
    const error = jest.fn()
    const gateway = gatewayWith(answer, error)
    const { outcome, failure } = await gateway.execute(CALL, CONTEXT)
    expect(JSON.parse(outcome.json.toString())).toEqual({ code: -32603, message: 'something went wrong on our side' })
    expect(failure?.status).toBe(500)
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ err: new Error('a bug'), method: 'eth_chainId' }), expect.any(String))
  })

  it('answers synchronously where no upstream is needed', () => {
    expect(gatewayWith(() => resultOf('0x1')).execute(CALL, CONTEXT)).toMatchObject({ outcome: resultOf('0x1') })
  })
})

function gatewayWith(answer: () => unknown, error: (...line: unknown[]) => void = () => {}): CallExecutionService {
  const limits = { take: () => undefined } as unknown as LimitsService
  return new CallExecutionService(limits, { answer } as unknown as AnswersService, {} as FiltersService, { error } as unknown as Logger)
}

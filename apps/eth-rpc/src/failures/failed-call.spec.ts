import fc from 'fast-check'
import { errorOf, resultOf } from '../framing/outcome.js'
import { RPC_CODE, unavailable } from '../framing/rpc-error.js'
import { codeIn, errorIn, failureDetailOf, failureKindOf, sampleId, shownMethod } from './failed-call.js'

const REVERT = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }

describe(failureKindOf, () => {
  it.each([
    ['reverted', 3],
    ['reverted', -32015],
    ['invalid', RPC_CODE.invalidParams],
    ['invalid', RPC_CODE.parse],
    ['unserved', RPC_CODE.methodNotFound],
    ['refused', RPC_CODE.unauthorized],
    ['limited', RPC_CODE.limit],
    ['unavailable', RPC_CODE.unavailable],
    ['internal', RPC_CODE.internal],
    ['rejected', RPC_CODE.server],
    ['rejected', 4444],
  ])('is %s of %i', (kind, code) => {
    expect(failureKindOf(code)).toBe(kind)
  })
})

describe(codeIn, () => {
  it('is that of the error as it was received, in whatever order', () => {
    const json = fc.record({ code: fc.integer({ min: -32_768, max: 10_000 }), message: fc.string(), data: fc.jsonValue() })
    const written = fc.tuple(json, fc.constantFrom(0, 1, 2), fc.constantFrom(undefined, 2))
    fc.assert(
      fc.property(written, ([{ code, message, data }, order, indent]) => {
        const orders = [
          { code, message, data },
          { message, data, code },
          { data: { code: 7, data }, code, message },
        ]
        expect(codeIn({ outcome: { member: 'error', json: Buffer.from(JSON.stringify(orders[order], null, indent)) } })).toBe(code)
      }),
    )
  })

  it('is a whole number of 32 bits, or 0', () => {
    const given = (code: number) => codeIn({ outcome: errorOf({ code, message: '' }) })
    for (const code of [1.5, 2 ** 40, -(2 ** 31)]) expect(given(code)).toBe(0)
    for (const code of [3, -32000, 2 ** 31 - 1]) expect(given(code)).toBe(code)
  })

  it('is that of our own error', () => {
    const failure = unavailable('away')
    expect(codeIn({ outcome: errorOf(failure.error), failure })).toBe(RPC_CODE.unavailable)
  })
})

describe(failureDetailOf, () => {
  it('has the call, the error of a node, and which node it was', () => {
    const failing = {
      id: '"a"',
      method: 'eth_call',
      params: [{}],
      served: 'eth_call',
      outcome: { ...errorOf(REVERT), by: ['geth'] },
      ms: 1.26,
    }
    expect(failureDetailOf(failing, errorIn(failing))).toEqual({
      ms: 1.3,
      request: { id: '"a"', params: [{}] },
      error: { message: REVERT.message, data: REVERT.data },
      upstream: 'geth',
    })
  })

  it('has the nodes that were asked in vain', () => {
    const failure = unavailable('no upstream has answered in time', 504)
    failure.attempts = [{ upstream: 'geth', outcome: 'timeout' }]
    const failing = { served: 'eth_call', outcome: errorOf(failure.error), failure, ms: 1 }
    expect(failureDetailOf(failing, errorIn(failing))).toEqual({
      ms: 1,
      request: {},
      error: { message: failure.message },
      attempts: failure.attempts,
    })
  })

  it('keeps no param of a method that is not served, and cuts an id', () => {
    const failing = { id: `"${'a b '.repeat(50)}"`, method: 'personal_importRawKey', params: ['0x01', 'x'], outcome: resultOf(1), ms: 0 }
    const { request } = failureDetailOf(failing, REVERT)
    expect(request.params).toEqual(['<string>', '<string>'])
    expect(request.id).toHaveLength(64)
  })
})

describe(shownMethod, () => {
  it('is the name of a served method, what may be kept of another, or the name given for none', () => {
    expect(shownMethod({ served: 'web3_sha3', method: 'web_sha3' }, 'unknown')).toBe('web3_sha3')
    expect(shownMethod({ method: 'eth_sign' }, 'unknown')).toBe('eth_sign')
    expect(shownMethod({ method: 'hunter2' }, 'unknown')).toBe('<string of 7 characters>')
    expect(shownMethod({}, 'unknown')).toBe('unknown')
  })
})

describe(sampleId, () => {
  it('sorts by time', () => {
    const moment = fc.tuple(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
    fc.assert(
      fc.property(moment, moment, ([a, some], [b, other]) => {
        const ids = [sampleId(a, some), sampleId(b, other)] as const
        for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        if (a !== b) expect(ids[0] < ids[1]).toBe(a < b)
      }),
    )
  })
})

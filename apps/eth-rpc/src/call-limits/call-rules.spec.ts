import { callRulesOf, overCallLimit } from './call-rules.js'

const NAMES = ['eth_call', 'eth_getLogs', 'eth_getBalance', 'debug_traceCall', 'debug_traceBlock']

describe(callRulesOf, () => {
  it('is nothing where nothing is limited', () => {
    expect(callRulesOf({}, NAMES)).toBeUndefined()
    expect(callRulesOf({ methods: [] }, NAMES)).toBeUndefined()
  })

  it('holds each method to the first entry that means it', () => {
    const methods = [
      { method: 'eth_getLogs', perSecond: 1 },
      { method: 'eth_get*', perSecond: 2 },
      { method: 'debug_*', perSecond: 3 },
    ]
    const rules = callRulesOf({ methods }, NAMES)
    expect(NAMES.map((name) => rules?.methods.get(name)?.perSecond)).toEqual([undefined, 1, 2, 3, 3])
  })
})

describe(overCallLimit, () => {
  it.each([
    [{ by: 'method', key: 'eth_get*' }, 'more calls of eth_get* than the project may send a second: 5; try again in 2 s'],
    [{ by: 'address' }, 'more calls than one address may send to the project a second: 5; try again in 2 s'],
    [{ by: 'caller' }, 'more calls than one caller may send to the project a second: 5; try again in 2 s'],
    [{ by: 'sender', key: '0xab' }, 'more transactions of 0xab than one sender may send through the project a minute: 5; try again in 2 s'],
    [{ by: 'sender' }, 'more transactions of an unknown sender than one sender may send through the project a minute: 5; try again in 2 s'],
  ] as const)('says of %j which limit it is', (refusal, message) => {
    const { error, status, headers } = overCallLimit({ ...refusal, limit: 5, retryAfterMs: 1_001, resetAt: 0 })
    const data = { limit: 5, resetAt: '1970-01-01T00:00:00.000Z', by: refusal.by }
    expect([error, status, headers]).toEqual([{ code: -32005, message, data }, 429, { 'retry-after': '2' }])
  })
})

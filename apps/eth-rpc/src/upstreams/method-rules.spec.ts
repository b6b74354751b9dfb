import { isServedBy } from './method-rules.js'

describe(isServedBy, () => {
  it.each([
    [{}, 'eth_call', true],
    [{ allowed: ['eth_*'] }, 'eth_call', true],
    [{ allowed: ['eth_*'] }, 'debug_traceCall', false],
    [{ allowed: ['eth_call'] }, 'eth_callMany', false],
    [{ refused: ['eth_getLogs'] }, 'eth_getLogs', false],
    [{ refused: ['eth_getLogs'] }, 'eth_call', true],
    [{ allowed: ['eth_*'], refused: ['eth_get*'] }, 'eth_getLogs', false],
    [{ allowed: ['eth_*'], refused: ['eth_get*'] }, 'eth_call', true],
  ])('with %j answers whether %s is served: %s', (rules, method, expected) => {
    expect(isServedBy(rules, method)).toBe(expected)
  })
})

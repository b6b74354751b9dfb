import { readableResult } from './readable-result.js'

describe(readableResult, () => {
  it.each([
    ['wei', '0xde0b6b3a7640001', { amount: '1.000000000000000001', unit: 'wei' }],
    ['gwei', '0x3b9aca00', { amount: '1', unit: 'gwei' }],
    ['number', '0x7a69', { amount: '31,337', unit: 'number' }],
    ['number', null, undefined],
    ['number', '0x', undefined],
    [undefined, '0x1', undefined],
  ] as const)('reads an answer in %s that is %j', (answers, result, expected) => {
    expect(readableResult({ answers }, { jsonrpc: '2.0', id: 1, result }, 18)).toEqual(expected)
  })

  it('divides amounts by the decimals of the chain', () => {
    expect(readableResult({ answers: 'wei' }, { result: '0x16e360' }, 6)).toEqual({ amount: '1.5', unit: 'wei' })
    expect(readableResult({ answers: 'gwei' }, { result: '0x3b9aca00' }, 6)).toEqual({ amount: '1', unit: 'gwei' })
  })

  it('reads nothing into a failure', () => {
    expect(readableResult({ answers: 'wei' }, { error: { code: 3, message: '' } }, 18)).toBeUndefined()
  })
})

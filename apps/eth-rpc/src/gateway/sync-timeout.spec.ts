import { blockNumberOfReceipt, goDuration, timeoutOf } from './sync-timeout.js'

describe(timeoutOf, () => {
  it.each([
    [undefined, 15_000],
    [null, 15_000],
    [0, 15_000],
    ['0x0', 15_000],
    [500, 500],
    ['0x1f4', 500],
    [60_000, 15_000],
    ['0xffffffffffffffff', 15_000],
  ])('takes %j for %d ms', (value, ms) => {
    expect(timeoutOf(value, 15_000)).toBe(ms)
  })

  it.each(['500', '0x', 1.5, -1, true, {}, [500], '0x1g'])('refuses %j', (value) => {
    expect(() => timeoutOf(value, 15_000)).toThrow('invalid argument 1')
  })
})

describe(goDuration, () => {
  it.each([
    [1, '1ms'],
    [500, '500ms'],
    [1500, '1.5s'],
    [20_000, '20s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(goDuration(ms)).toBe(text)
  })
})

describe(blockNumberOfReceipt, () => {
  it('reads the block that has the transaction', () => {
    expect(blockNumberOfReceipt('{"blockNumber":"0x10"}')).toBe(16)
    expect(blockNumberOfReceipt('{}')).toBe(0)
  })
})

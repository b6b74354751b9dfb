import { logCriteria, matchesCriteria } from './log-criteria.js'

const ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`) as [string, string, string]
const LOG = { address: ADDRESS.toLowerCase(), topics: [A, B], json: '{}' }

describe(matchesCriteria, () => {
  // The table of geth's filter documentation.
  it.each([
    [{}, true],
    [{ topics: [] }, true],
    [{ topics: [A] }, true],
    [{ topics: [B] }, false],
    [{ topics: [null, B] }, true],
    [{ topics: [A, B] }, true],
    [
      {
        topics: [
          [A, C],
          [C, B],
        ],
      },
      true,
    ],
    [{ topics: [[C], [B]] }, false],
    [{ topics: [[], B] }, true],
    [{ topics: [[C, null], B] }, true],
    [{ topics: [A, B, null] }, false],
    [{ topics: [A.toUpperCase().replace('0X', '0x')] }, true],
    [{ address: ADDRESS }, true],
    [{ address: [] }, true],
    [{ address: [`0x${'1'.repeat(40)}`, ADDRESS] }, true],
    [{ address: `0x${'1'.repeat(40)}` }, false],
  ])('%j: %p', (filter, expected) => {
    expect(matchesCriteria(logCriteria(filter), LOG)).toBe(expected)
  })
})

describe(logCriteria, () => {
  it.each([
    [null],
    ['x'],
    [[]],
    [{ address: '0x1' }],
    [{ address: [1] }],
    [{ address: Array(1001).fill(ADDRESS) }],
    [{ topics: 'x' }],
    [{ topics: [1] }],
    [{ topics: ['0x1'] }],
    [{ topics: [A, A, A, A, A] }],
    [{ topics: [Array(1001).fill(A)] }],
  ])('refuses %j', (filter) => {
    expect(() => logCriteria(filter)).toThrow(expect.objectContaining({ error: expect.objectContaining({ code: -32602 }) }))
  })
})

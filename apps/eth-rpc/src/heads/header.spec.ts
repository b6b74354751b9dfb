import { mayHaveLogs, parseChainBlock, timestampOf } from './header.js'

// As anvil tells it; of geth's, what is not of the header is absent.
const SHOWN = {
  hash: `0x${'Ab'.repeat(32)}`,
  parentHash: `0x${'cd'.repeat(32)}`,
  number: '0x1b4',
  timestamp: '0x10',
  logsBloom: `0x${'0'.repeat(512)}`,
  baseFeePerGas: null,
  requestsHash: `0x${'ef'.repeat(32)}`,
  totalDifficulty: '0x0',
  size: '0x267',
  uncles: [],
  transactions: ['0x1'],
  withdrawals: [],
}

describe(parseChainBlock, () => {
  it('reads its links, and keeps only the fields of a header', () => {
    const block = parseChainBlock(SHOWN, 5)
    expect(block).toMatchObject({ number: 436, hash: SHOWN.hash.toLowerCase(), parentHash: SHOWN.parentHash, receivedAt: 5 })
    const { totalDifficulty, size, uncles, transactions, withdrawals, ...header } = SHOWN
    expect(JSON.parse(block.header)).toEqual(header)
    expect(timestampOf(block)).toBe(16)
  })

  it.each([null, 'block', {}, { ...SHOWN, number: '436' }, { ...SHOWN, number: null, hash: null }, { ...SHOWN, parentHash: '0x12' }])(
    'refuses what is not a block: %j',
    (shown) => {
      expect(() => parseChainBlock(shown, 0)).toThrow(expect.objectContaining({ name: 'ZodError' }))
    },
  )
})

describe(mayHaveLogs, () => {
  it.each([
    ['nothing in its bloom', SHOWN.logsBloom, false],
    ['something in its bloom', `0x${'0'.repeat(511)}8`, true],
    ['no bloom', undefined, true],
  ])('handles a block with %s', (_, logsBloom, expected) => {
    expect(mayHaveLogs(parseChainBlock({ ...SHOWN, logsBloom }, 0))).toBe(expected)
  })
})

import { matchingLines, shortenedLine, writersOf } from './log-lines.js'

const A = 'node-11111111-aaaa-bbbb-cccc-0123456789ab'
const B = 'node-22222222-aaaa-bbbb-cccc-ba9876543210'
const LINES = [`${A} UpdateTip: height=7`, `${B} New peer connected`, `${A} New outbound PEER`]

describe(matchingLines, () => {
  it.each([
    ['', '', 3],
    ['peer', '', 2],
    ['PEER', '', 2],
    ['peer', A, 1],
    ['', B, 1],
    ['nothing', '', 0],
  ])('search %j in %j gives %i', (search, member, expected) => {
    expect(matchingLines(LINES, { search, member })).toHaveLength(expected)
  })
})

describe(writersOf, () => {
  it('names each node once, in order', () => {
    expect(writersOf(LINES.toReversed())).toEqual([A, B])
  })

  it('finds none in the lines of a single node', () => {
    expect(writersOf(['UpdateTip: height=7'])).toEqual([])
  })
})

describe(shortenedLine, () => {
  it('keeps the end of the id, and the message', () => {
    expect(shortenedLine(LINES[0]!)).toBe('…456789ab UpdateTip: height=7')
  })

  it('leaves other lines alone', () => {
    expect(shortenedLine('node started')).toBe('node started')
  })
})

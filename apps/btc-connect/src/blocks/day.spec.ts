import fc from 'fast-check'
import { blockDay, isOver, type ListedBlock, toBlockList } from './day.js'

const NOW = new Date('2026-03-15T10:20:30Z')
const invalid = expect.objectContaining({ code: 'InvalidDate', status: 400, detail: 'Please use yyyy-mm-dd format' })

describe(blockDay, () => {
  it('is today by default', () => {
    expect(blockDay({}, NOW)).toEqual({
      date: '2026-03-15',
      isToday: true,
      start: Date.UTC(2026, 2, 15) / 1000,
      before: Date.UTC(2026, 2, 16) / 1000,
      beforeHeight: 0,
      limit: 200,
    })
  })

  it('accepts both names of the date, and prefers the newer one', () => {
    expect(blockDay({ blockDate: '2026-01-02' }, NOW)).toMatchObject({ date: '2026-01-02', isToday: false })
    expect(blockDay({ date: '2026-01-03', blockDate: '2026-01-02' }, NOW).date).toBe('2026-01-03')
  })

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    ' 2026-01-01',
    '2026-01-01x',
    '26-01-01',
    '',
    'today',
    '2026-01-01T00:00',
    '-026-01-01',
  ])('refuses %j', (date) => {
    expect(() => blockDay({ date }, NOW)).toThrow(invalid)
  })

  it.each(['0000-01-01', '1969-12-31', '2024-02-29', '9999-12-31'])('accepts %s', (date) => {
    expect(toBlockList(blockDay({ date }, NOW), []).pagination.current).toBe(date)
  })

  it('accepts a start time, and a height only with it', () => {
    expect(blockDay({ startTimestamp: 5, startHeight: 7 }, NOW)).toMatchObject({ before: 5, beforeHeight: 7 })
    expect(blockDay({ startHeight: 7 }, NOW)).toMatchObject({ before: Date.UTC(2026, 2, 16) / 1000, beforeHeight: 0 })
  })
})

describe(toBlockList, () => {
  it('names the days before and after', () => {
    expect(toBlockList(blockDay({ date: '2026-03-01' }, NOW), [])).toEqual({
      blocks: [],
      length: 0,
      pagination: {
        next: '2026-03-02',
        prev: '2026-02-28',
        currentTs: Date.UTC(2026, 2, 2) / 1000 - 1,
        current: '2026-03-01',
        isToday: false,
        more: false,
      },
    })
  })

  it('covers every block of a day once, whatever the times and the limit', () => {
    const times = fc.array(fc.nat(40), { maxLength: 60 })
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 20 }), (offsets, limit) => {
        const start = blockDay({ date: '2026-03-01' }, NOW).start
        const chain = offsets.map((offset, height) => block({ height, time: start + offset }))
        expect(pagesOf(chain, limit).sort((a, b) => a - b)).toEqual(chain.map(({ height }) => height))
      }),
    )
  })

  it('lists the highest first', () => {
    const day = blockDay({ date: '2026-03-01' }, NOW)
    const { blocks } = toBlockList(day, [block({ height: 4, time: 9 }), block({ height: 5, time: 8 })])
    expect(blocks.map(({ height }) => height)).toEqual([5, 4])
  })
})

describe(isOver, () => {
  const day = blockDay({ date: '2026-03-01' }, NOW)

  it.each([
    ['2026-03-01T12:00:00Z', false],
    ['2026-03-02T23:59:59Z', false],
    ['2026-03-03T00:00:01Z', true],
  ])('at a tip of %s is %s', (time, over) => {
    expect(isOver(day, Date.parse(time) / 1000)).toBe(over)
  })
})

/** The heights on all pages, followed by what each says of the next. */
function pagesOf(chain: readonly ListedBlock[], limit: number): number[] {
  const heights: number[] = []
  let asked: Parameters<typeof blockDay>[0] = { date: '2026-03-01', limit }
  for (;;) {
    const day = blockDay(asked, NOW)
    const found = chain
      .filter(({ time, height }) => time >= day.start && (time < day.before || (time === day.before && height < day.beforeHeight)))
      .sort((a, b) => b.time - a.time || b.height - a.height)
    const { blocks, length, pagination } = toBlockList(day, found.slice(0, limit + 1))
    expect(length).toBe(Math.min(limit, found.length))
    heights.push(...blocks.map(({ height }) => height))
    if (!pagination.more) return heights
    asked = { date: '2026-03-01', limit, startTimestamp: pagination.moreTs, startHeight: pagination.moreHeight }
  }
}

function block(overrides: Partial<ListedBlock>): ListedBlock {
  return { height: 0, size: 285, hash: Buffer.alloc(32), time: 0, txCount: 1, poolInfo: {}, ...overrides }
}

import { byMethod, overTime, total } from './usage-sums.js'

const entry = (time: string, method: string, calls: number) => ({ time, method, calls, errors: 1, bytesOut: 10 })
const USAGE = [
  entry('2026-11-21T22:00:00.000Z', 'getblock', 2),
  entry('2026-11-22T00:00:00.000Z', 'getblock', 3),
  entry('2026-11-22T00:00:00.000Z', 'getblockcount', 4),
]

describe('Usage', () => {
  it('has every hour of a range, those without a call too', () => {
    const range = { from: new Date('2026-11-21T22:10:00Z'), to: new Date('2026-11-22T01:59:00Z'), hours: 1 } as const
    expect(overTime(USAGE, range).map(({ calls }) => calls)).toEqual([2, 0, 7, 0])
  })

  it('is told by the day, of UTC', () => {
    const range = { from: new Date('2026-11-21T00:00:00Z'), to: new Date('2026-11-22T01:00:00Z'), hours: 24 } as const
    const days = overTime(USAGE, range)
    expect(days.map(({ time, calls, bytesOut }) => [time.toISOString().slice(0, 10), calls, bytesOut])).toEqual([
      ['2026-11-21', 2, 10],
      ['2026-11-22', 7, 20],
    ])
  })

  it('is summed by method, the most called first', () => {
    expect(byMethod(USAGE).map(({ method, calls, errors }) => [method, calls, errors])).toEqual([
      ['getblock', 5, 2],
      ['getblockcount', 4, 1],
    ])
  })

  it('comes to the same however it is summed', () => {
    expect(total(USAGE)).toEqual({ calls: 9, errors: 3, bytesOut: 30 })
    expect(total([])).toEqual({ calls: 0, errors: 0, bytesOut: 0 })
  })
})

import fc from 'fast-check'
import { duration, millisOf, relative } from './duration.js'

describe(millisOf, () => {
  it.each([
    ['90s', 90_000],
    ['2h30m', 9_000_000],
    ['1w', 604_800_000],
    ['0s', 0],
  ])('reads %s', (text, millis) => {
    expect(millisOf(text, '--since')).toBe(millis)
  })

  it.each(['', '5', 'h', '1.5h', '-1h', '1h ago', '1 h', '1y', '999999999w', '52200w'])('refuses "%s" as wrong usage', (text) => {
    expect(() => millisOf(text, '--since')).toThrow(expect.objectContaining({ exit: 2, message: `--since cannot be "${text}".` }))
  })

  it('reads back what it writes, to the unit that was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 * 86_400 }), (seconds) => {
        const read = millisOf(duration(seconds * 1000).replace(' ', ''), 'x') / 1000
        expect(seconds - read).toBeGreaterThanOrEqual(0)
        expect(seconds - read).toBeLessThan(seconds < 3600 ? 1 : seconds < 86_400 ? 60 : 3600)
      }),
    )
  })
})

describe(relative, () => {
  const now = new Date('2026-11-22T12:00:00.000Z')
  it.each([
    ['2026-11-22T11:59:58.000Z', '2s ago'],
    ['2026-11-20T11:00:00.000Z', '2d 1h ago'],
    ['2036-11-22T12:00:00.000Z', 'in 10y 3d'],
    [null, ''],
    [undefined, ''],
  ])('of %s is "%s"', (time, text) => {
    expect(relative(time, now)).toBe(text)
  })
})

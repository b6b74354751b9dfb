import fc from 'fast-check'
import { rendered } from '../../testing/rendered.js'
import { Chart } from './chart.js'
import { FigureTable } from './figure.js'
import { spread, ticks } from './scale.js'
import { Strip } from './strip.js'

describe(ticks, () => {
  it.each([
    [97, [0, 25, 50, 75, 100]],
    [4, [0, 1, 2, 3, 4]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0, [0]],
    [-3, [0]],
    [Number.NaN, [0]],
  ])('of %d are %j', (max, expected) => {
    expect(ticks(max)).toEqual(expected)
  })

  it('cover every maximum in few even steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (max) => {
        const steps = ticks(max)
        expect(steps[0]).toBe(0)
        expect(steps.at(-1)!).toBeGreaterThanOrEqual(max * (1 - 1e-6))
        expect(steps.length).toBeLessThanOrEqual(6)
      }),
    )
  })
})

describe(spread, () => {
  it('shows all labels where there is room', () => {
    expect(spread(3, 5)).toEqual([0, 1, 2])
  })

  it('keeps the first and the last of many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 500 }), fc.integer({ min: 2, max: 20 }), (count, wanted) => {
        const shown = spread(count, wanted)
        expect([shown[0], shown.at(-1)]).toEqual([0, count - 1])
        expect(shown.length).toBeLessThanOrEqual(Math.max(wanted, 2))
        expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b))
      }),
    )
  })
})

describe(Chart, () => {
  const series = [
    { name: 'Calls', color: 'teal', values: [3, undefined] },
    { name: 'Errors', color: 'red', values: [1, 0] },
  ]

  it('is an image with a name, and offers the numbers as a table', () => {
    const page = rendered(<Chart title="Usage" kind="bars" labels={['Mon', 'Tue']} series={series} />)
    expect(page.has('role="img" aria-label="Usage"')).toBe(true)
    expect(page.isEnabled('Show as table')).toBe(true)
    expect(page.text).toContain('Calls Errors')
  })

  it('needs no legend for one series', () => {
    const page = rendered(<Chart title="Usage" kind="line" labels={['Mon', 'Tue']} series={series.slice(0, 1)} />)
    expect(page.text).not.toContain('Calls')
  })

  it('draws a line only through known values', () => {
    const page = rendered(<Chart title="Usage" kind="line" labels={['Mon', 'Tue']} series={series} />)
    const points = [...page.html.matchAll(/points="([^"]*)"/g)].map(([, each = '']) => each.split(' ').length)
    expect(points).toEqual([1, 2])
  })
})

describe(FigureTable, () => {
  it('has a row for each label and a column for each series', () => {
    const page = rendered(
      <FigureTable
        title="Usage"
        labels={['Mon', 'Tue']}
        columns={[
          { name: 'Calls', texts: ['3', '–'] },
          { name: 'Errors', texts: ['1', '0'] },
        ]}
      />,
    )
    expect(page.rows).toEqual([
      ['Calls', 'Errors', ''],
      ['Mon', '3', '1'],
      ['Tue', '–', '0'],
    ])
  })
})

describe(Strip, () => {
  it('explains only the states it shows', () => {
    const states = { good: 'none missed', some: 'some', bad: 'many', none: 'none due', unknown: 'unknown' }
    const cells = [
      { state: 'good', text: '0 of 9' },
      { state: 'bad', text: '9 of 9' },
    ] as const
    const page = rendered(<Strip title="Missed" labels={['Mon', 'Tue']} rows={[{ name: 'Blocks', cells }]} states={states} />)
    expect(page.text).toContain('none missed many')
    expect(page.text).not.toContain('none due')
    expect(page.text).toContain('Blocks')
  })
})

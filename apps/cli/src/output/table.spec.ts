import fc from 'fast-check'
import { render } from './table.js'
import { cut, sanitize, widthOf } from './width.js'

const PLAIN = { hasColour: false }

describe(render, () => {
  it('lines columns up, wide characters too', () => {
    const rows = [
      ['a', '東京', 1],
      ['bcd', 'é', 22],
    ]
    expect(render({ head: ['X', 'PLACE', 'N'], rows }, PLAIN)).toBe('X    PLACE  N\na    東京   1\nbcd  é      22\n')
  })

  it('writes nothing where there are no rows', () => {
    expect(render({ head: ['X'], rows: [], none: 'None.' }, PLAIN)).toBe('')
  })

  it('leaves out members without a value', () => {
    expect(
      render(
        {
          fields: [
            ['id', 7],
            ['note', null],
            ['height', 0],
            ['alias', undefined],
          ],
        },
        PLAIN,
      ),
    ).toBe('id      7\nheight  0\n')
  })

  it('colours states only where somebody sees it', () => {
    const view = { fields: [['phase', { text: 'ready', tone: 'good' }]] } as const
    expect(render(view, PLAIN)).toBe('phase  ready\n')
    expect(render(view, { hasColour: true })).toBe('\x1b[2mphase\x1b[0m  \x1b[32mready\x1b[0m\n')
  })

  it('shortens the widest columns but the first until a line fits', () => {
    const rows = [['node-1', 'a long sentence that says why it is not ready', 'ltc']]
    expect(render({ head: ['ID', 'WHY', 'CHAIN'], rows }, { hasColour: false, width: 30 })).toBe(
      'ID      WHY              CHAIN\nnode-1  a long sentenc…  ltc\n',
    )
  })

  it('leaves the last columns out where there is no room for them, and says so', () => {
    const rows = [['node-1', 'litecoin core', 'a long sentence', 'ready at last']]
    expect(render({ head: ['ID', 'SOFTWARE', 'WHY', 'PHASE'], rows }, { hasColour: false, width: 28 })).toBe(
      'ID      SOFTWARE  WHY      …\nnode-1  litecoi…  a long …\n',
    )
  })

  it('fits any table into the terminal, unless two columns are too wide', () => {
    const texts = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 120 }), (rows, width) => {
        const first = Math.max(2, ...rows.map(([cell = '']) => widthOf(sanitize(cell))))
        for (const line of render({ head: ['AA', 'BB', 'CC'], rows }, { hasColour: false, width }).split('\n'))
          expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, first + 2 + 8 + 2))
      }),
    )
  })

  it('has room for any number of rows', () => {
    const rows = Array.from({ length: 150_000 }, () => ['a'])
    expect(render({ head: ['X'], rows }, PLAIN)).toHaveLength(300_002)
  })

  it('lines up cells that contain a tab', () => {
    expect(render({ head: ['X', 'Y'], rows: [['a\tb', 'c']] }, PLAIN)).toBe('X    Y\na b  c\n')
  })

  it('executes nothing in foreign text', () => {
    expect(render('evil\x1b[2J\x07\u202etxt\tok', PLAIN)).toBe('evil\ufffd[2J\ufffd\ufffdtxt\tok\n')
  })
})

describe(cut, () => {
  it('never takes more places than there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe(widthOf, () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['👩‍👩‍👧', 2],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })
})

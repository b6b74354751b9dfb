import fc from 'fast-check'
import { accessFields, detailOf, newLines } from './resource-views.js'

describe(newLines, () => {
  it.each([
    [['a', 'b'], ['a', 'b', 'c'], ['c']],
    [['a', 'b'], ['b', 'c'], ['c']],
    [['a', 'b'], ['a', 'b'], []],
    [['a', 'a'], ['a', 'a', 'a'], ['a']],
    [['a'], ['x', 'y'], ['x', 'y']],
    [[], ['x'], ['x']],
    [['a'], [], []],
  ])('after %j, of %j, are %j', (printed, lines, fresh) => {
    expect(newLines(printed, lines)).toEqual(fresh)
  })

  it('prints every line of a log once, whatever part of it each reply has', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }), fc.integer({ min: 6, max: 20 }), (steps, window) => {
        const log: string[] = []
        const printed: string[] = []
        let last: string[] = []
        for (const step of steps) {
          for (let count = 0; count < step; count++) log.push(`line ${log.length}`)
          const lines = log.slice(-window)
          printed.push(...newLines(last, lines))
          last = lines
        }
        expect(printed).toEqual(log)
      }),
    )
  })
})

describe(detailOf, () => {
  const condition = { type: 'Synced', status: 'false', reason: 'Syncing', message: 'It has 42 %.', since: '' } as const
  it('has the progress, and the reason why it is not ready yet', () => {
    const status = { state: 'started', phase: 'syncing', height: 5, lag: 7, progress: 0.42, peers: 1, diskBytes: 1 } as const
    expect(detailOf({ ...status, conditions: [condition] })).toBe('syncing  block 5, 7 behind  It has 42 %.')
    expect(detailOf({ ...status, phase: 'ready', lag: 0, conditions: [] })).toBe('ready  block 5')
  })
})

describe(accessFields, () => {
  it('shows a password only on request', () => {
    const auth = { type: 'basic', user: 'u', pass: 'p' }
    expect([accessFields(auth, true), JSON.stringify(accessFields(auth, false)).includes('"p"')]).toEqual([
      [
        ['user', 'u'],
        ['password', 'p'],
      ],
      false,
    ])
  })
})

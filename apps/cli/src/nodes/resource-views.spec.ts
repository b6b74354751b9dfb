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
  ])('after %j, of %j, are %j', (told, lines, fresh) => {
    expect(newLines(told, lines)).toEqual(fresh)
  })

  it('tells a log of different lines once, in whatever windows it is seen', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }), fc.integer({ min: 6, max: 20 }), (steps, window) => {
        const log: string[] = []
        const told: string[] = []
        let seen: string[] = []
        for (const step of steps) {
          for (let count = 0; count < step; count++) log.push(`line ${log.length}`)
          const lines = log.slice(-window)
          told.push(...newLines(seen, lines))
          seen = lines
        }
        expect(told).toEqual(log)
      }),
    )
  })
})

describe(detailOf, () => {
  const condition = { type: 'Synced', status: 'false', reason: 'Syncing', message: 'It has 42 %.', since: '' } as const
  it('says how far it is, and why it is not ready yet', () => {
    const status = { state: 'started', phase: 'syncing', height: 5, lag: 7, progress: 0.42, peers: 1, diskBytes: 1 } as const
    expect(detailOf({ ...status, conditions: [condition] })).toBe('syncing  block 5, 7 behind  It has 42 %.')
    expect(detailOf({ ...status, phase: 'ready', lag: 0, conditions: [] })).toBe('ready  block 5')
  })
})

describe(accessFields, () => {
  it('shows a password only to whoever asks', () => {
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

import { statusText } from './status-text.js'
import { type IndexProgress, syncStatusOf } from './sync-status.js'

describe(syncStatusOf, () => {
  it('is starting until a writer has created the index', () => {
    expect(syncStatusOf(undefined)).toMatchObject({ status: 'starting', syncPercentage: 0, height: 0, secondsLeft: null })
  })

  it('shows while loading how much is read, and that nothing is served', () => {
    expect(syncStatusOf(state({ phase: 'load', height: null, blocks: 251, blocksPerSecond: 50 }))).toMatchObject({
      status: 'syncing',
      syncPercentage: 25,
      height: 0,
      blocksLeft: 750,
      secondsLeft: 15,
    })
  })

  it('does not estimate the duration of the merge', () => {
    expect(syncStatusOf(state({ phase: 'merge', height: null, blocks: 900, blocksPerSecond: 50 })).secondsLeft).toBeNull()
  })

  it('never shows 100 percent before the end', () => {
    expect(syncStatusOf(state({ blocks: 1000, height: 999 })).syncPercentage).toBe(99)
    expect(syncStatusOf(state({ condition: 'finished', blocks: 1001, height: 1000 }))).toMatchObject({
      status: 'finished',
      syncPercentage: 100,
      secondsLeft: 0,
    })
  })

  it('counts from the first indexed block', () => {
    expect(syncStatusOf(state({ startHeight: 900, blocks: 50, height: 949 }))).toMatchObject({ syncPercentage: 49, blocksLeft: 51 })
  })

  it('says what is wrong', () => {
    const wrong = state({ condition: 'node-pruned', conditionDetail: 'The node has pruned block 00.' })
    expect(syncStatusOf(wrong)).toMatchObject({ status: 'error', error: 'The node has pruned block 00.', note: null })
    expect(syncStatusOf({ ...wrong, conditionDetail: null })).toMatchObject({ error: 'node-pruned' })
  })

  it('says what it waits for', () => {
    const note = 'The node itself has 500 of 1000 blocks so far.'
    expect(syncStatusOf(state({ conditionDetail: note }))).toMatchObject({ status: 'syncing', error: null, note })
    expect(statusText('btc', syncStatusOf(state({ conditionDetail: note })))).toContain(`\nnote       ${note}\n`)
    expect(syncStatusOf(state())).toMatchObject({ error: null, note: null })
  })

  it('is no error when the node is behind the index', () => {
    expect(syncStatusOf(state({ condition: 'finished', nodeHeight: 990, blocks: 1001, height: 1000 }))).toMatchObject({ blocksLeft: 0 })
  })
})

describe(statusText, () => {
  it('prints one fact per line', () => {
    const status = syncStatusOf(state({ phase: 'load', height: null, blocks: 251, blocksPerSecond: 0.05 }))
    expect(statusText('btc', status)).toBe(
      [
        'deployment btc',
        'status     syncing, 25 %',
        'phase      load (reads blocks in bulk)',
        'served     nothing yet',
        'node       at block 1000',
        'to read    750 blocks',
        'rate       0.0500 blocks a second',
        'time left  4 h 10 min',
        '',
      ].join('\n'),
    )
  })

  it('omits what is unknown, and says what is wrong', () => {
    const text = statusText('btc', syncStatusOf(state({ condition: 'bad-block', conditionDetail: 'Not this one.' })))
    expect(text).toContain('served     up to block 499')
    expect(text).toContain('error      Not this one.')
    expect(text).not.toContain('rate')
  })
})

function state(overrides: Partial<IndexProgress> = {}): IndexProgress {
  return {
    phase: 'tip',
    condition: 'syncing',
    conditionDetail: null,
    startHeight: 0,
    nodeHeight: 1000,
    height: 499,
    blocks: 500,
    blocksPerSecond: null,
    ...overrides,
  }
}

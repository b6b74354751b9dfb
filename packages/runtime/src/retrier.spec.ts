import { jest } from '@jest/globals'
import { Retrier } from './retrier.js'

const WORDS = { failure: 'it cannot be done', recovery: 'it is done again', fields: { of: 'something' } }

describe(Retrier, () => {
  it('gives the result, and says nothing of what goes well', async () => {
    const { persistence, info, warn } = persisting()
    expect(await persistence.attempt(async () => 7)).toBe(7)
    expect([info, warn].map(({ mock }) => mock.calls)).toEqual([[], []])
  })

  it('waits after a failure, tells of it once, of another one too, and of the end', async () => {
    const { persistence, info, warn } = persisting()
    for (const reason of ['away', 'away', 'broken']) {
      expect(await persistence.attempt(() => Promise.reject(new Error(reason)))).toBeUndefined()
    }
    await persistence.attempt(async () => {})
    expect(warn.mock.calls.map(([line, message]) => [(line as { err: Error }).err.message, message])).toEqual([
      ['away', WORDS.failure],
      ['broken', WORDS.failure],
    ])
    expect(info.mock.calls).toEqual([[WORDS.fields, WORDS.recovery]])
  })

  it('neither waits nor tells once it is to end', async () => {
    const end = new AbortController()
    const { persistence, warn } = persisting(end.signal, 600_000)
    const waiting = persistence.attempt(() => Promise.reject(new Error('away')))
    setImmediate(() => end.abort())
    expect(await waiting).toBeUndefined()
    expect(await persistence.attempt(() => Promise.reject(new Error('broken')))).toBeUndefined()
    expect(warn).toHaveBeenCalledTimes(1)
  })
})

function persisting(signal: AbortSignal = new AbortController().signal, retryMs = 1) {
  const [info, warn] = [jest.fn(), jest.fn()]
  return { persistence: new Retrier({ info, warn }, signal, WORDS, retryMs), info, warn }
}

import { jest } from '@jest/globals'
import { Retrier } from './retrier.js'

const MESSAGES = { failure: 'it cannot be done', recovery: 'it is done again', fields: { of: 'something' } }

describe(Retrier, () => {
  it('returns the result, and logs nothing while work succeeds', async () => {
    const { retrier, info, warn } = retrying()
    expect(await retrier.attempt(async () => 7)).toBe(7)
    expect([info, warn].map(({ mock }) => mock.calls)).toEqual([[], []])
  })

  it('pauses after a failure, and logs each different failure once, and the recovery', async () => {
    const { retrier, info, warn } = retrying()
    for (const reason of ['away', 'away', 'broken']) {
      expect(await retrier.attempt(() => Promise.reject(new Error(reason)))).toBeUndefined()
    }
    await retrier.attempt(async () => {})
    expect(warn.mock.calls.map(([line, message]) => [(line as { err: Error }).err.message, message])).toEqual([
      ['away', MESSAGES.failure],
      ['broken', MESSAGES.failure],
    ])
    expect(info.mock.calls).toEqual([[MESSAGES.fields, MESSAGES.recovery]])
  })

  it('neither pauses nor logs once the signal aborts', async () => {
    const end = new AbortController()
    const { retrier, warn } = retrying(end.signal, 600_000)
    const waiting = retrier.attempt(() => Promise.reject(new Error('away')))
    setImmediate(() => end.abort())
    expect(await waiting).toBeUndefined()
    expect(await retrier.attempt(() => Promise.reject(new Error('broken')))).toBeUndefined()
    expect(warn).toHaveBeenCalledTimes(1)
  })
})

function retrying(signal: AbortSignal = new AbortController().signal, retryMs = 1) {
  const [info, warn] = [jest.fn(), jest.fn()]
  return { retrier: new Retrier({ info, warn }, signal, MESSAGES, retryMs), info, warn }
}

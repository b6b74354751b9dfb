import { Signal } from './signal.js'

const LONG = 60_000

describe(Signal, () => {
  it('wakes the one who waits', async () => {
    const signal = new Signal()
    const waiting = signal.wait(LONG, new AbortController().signal)
    signal.notify()
    await waiting
  })

  it('keeps one notification for a later wait', async () => {
    const signal = new Signal()
    signal.notify()
    signal.notify()
    await signal.wait(LONG, new AbortController().signal)
    const woken: string[] = []
    const waiting = signal.wait(LONG, new AbortController().signal).then(() => woken.push('by its ring'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(woken).toEqual([])
    signal.notify()
    await waiting
  })

  it('stops waiting after the time', async () => {
    await new Signal().wait(1, new AbortController().signal)
  })

  it('stops waiting when the signal aborts, or has aborted before', async () => {
    const stop = new AbortController()
    const waiting = new Signal().wait(LONG, stop.signal)
    stop.abort()
    await waiting
    await new Signal().wait(LONG, stop.signal)
  })
})

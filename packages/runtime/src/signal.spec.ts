import { Signal } from './signal.js'

const LONG = 60_000

describe(Signal, () => {
  it('wakes who waits', async () => {
    const bell = new Signal()
    const waiting = bell.wait(LONG, new AbortController().signal)
    bell.notify()
    await waiting
  })

  it('keeps a ring for who comes later, once', async () => {
    const bell = new Signal()
    bell.notify()
    bell.notify()
    await bell.wait(LONG, new AbortController().signal)
    const woken: string[] = []
    const waiting = bell.wait(LONG, new AbortController().signal).then(() => woken.push('by its ring'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(woken).toEqual([])
    bell.notify()
    await waiting
  })

  it('lets go when the time is over', async () => {
    await new Signal().wait(1, new AbortController().signal)
  })

  it('lets go when the signal says so, also when it has said so before', async () => {
    const stop = new AbortController()
    const waiting = new Signal().wait(LONG, stop.signal)
    stop.abort()
    await waiting
    await new Signal().wait(LONG, stop.signal)
  })
})

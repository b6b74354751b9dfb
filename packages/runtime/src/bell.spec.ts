import { Bell } from './bell.js'

const LONG = 60_000

describe(Bell, () => {
  it('wakes who waits', async () => {
    const bell = new Bell()
    const waiting = bell.wait(LONG, new AbortController().signal)
    bell.ring()
    await waiting
  })

  it('keeps a ring for who comes later, once', async () => {
    const bell = new Bell()
    bell.ring()
    bell.ring()
    await bell.wait(LONG, new AbortController().signal)
    const woken: string[] = []
    const waiting = bell.wait(LONG, new AbortController().signal).then(() => woken.push('by its ring'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(woken).toEqual([])
    bell.ring()
    await waiting
  })

  it('lets go when the time is over', async () => {
    await new Bell().wait(1, new AbortController().signal)
  })

  it('lets go when the signal says so, also when it has said so before', async () => {
    const stop = new AbortController()
    const waiting = new Bell().wait(LONG, stop.signal)
    stop.abort()
    await waiting
    await new Bell().wait(LONG, stop.signal)
  })
})

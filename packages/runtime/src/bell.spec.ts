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
    const begun = performance.now()
    await bell.wait(30, new AbortController().signal)
    expect(performance.now() - begun).toBeGreaterThan(20)
  })

  it('lets go when the signal says so, also when it has said so before', async () => {
    const stop = new AbortController()
    const waiting = new Bell().wait(LONG, stop.signal)
    stop.abort()
    await waiting
    await new Bell().wait(LONG, stop.signal)
  })
})

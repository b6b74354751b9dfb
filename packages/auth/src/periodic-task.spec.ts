import { jest } from '@jest/globals'
import { runPeriodically } from './periodic-task.js'

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

describe(runPeriodically, () => {
  it('runs at once, and again after each delay', async () => {
    const { runs, repetition } = setup()
    await jest.advanceTimersByTimeAsync(200)
    expect(runs()).toBe(3)
    repetition.stop()
    await jest.advanceTimersByTimeAsync(200)
    expect(runs()).toBe(3)
  })

  it('runs on demand, and counts the delay from then', async () => {
    const { runs, repetition } = setup()
    await jest.advanceTimersByTimeAsync(60)
    repetition.runNow()
    await jest.advanceTimersByTimeAsync(99)
    expect(runs()).toBe(2)
    await jest.advanceTimersByTimeAsync(1)
    expect(runs()).toBe(3)
    repetition.stop()
  })

  it('runs again after the current run when it is demanded during a run', async () => {
    const { runs, repetition, finish } = setup({ slow: true })
    repetition.runNow()
    repetition.runNow()
    await jest.advanceTimersByTimeAsync(500)
    expect(runs()).toBe(1)
    finish()
    await jest.advanceTimersByTimeAsync(0)
    expect(runs()).toBe(2)
    finish()
    await jest.advanceTimersByTimeAsync(99)
    expect(runs()).toBe(2)
    repetition.stop()
  })

  it('does nothing after it was stopped', async () => {
    const { runs, repetition, finish } = setup({ slow: true })
    repetition.runNow()
    repetition.stop()
    finish()
    repetition.runNow()
    await jest.advanceTimersByTimeAsync(500)
    expect(runs()).toBe(1)
  })
})

/** A task that repeats every 100 ms; a slow one lasts until it is finished. */
function setup({ slow = false } = {}) {
  let runs = 0
  let finish = () => {}
  const task = async () => {
    runs++
    const { promise, resolve } = Promise.withResolvers<void>()
    finish = resolve
    if (slow) await promise
  }
  const repetition = runPeriodically(task, () => 100)
  return { repetition, runs: () => runs, finish: () => finish() }
}

import { jest } from '@jest/globals'

/** Sets the clocks forward and stops them, so that no second ends within a test. Timers go on: HTTP needs them. */
export function advanceClock(milliseconds: number): void {
  const [now, ticks] = [Date.now() + milliseconds, performance.now() + milliseconds]
  jest.useFakeTimers({
    now,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  })
  jest.spyOn(performance, 'now').mockReturnValue(ticks)
}

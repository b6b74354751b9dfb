import { setTimeout as delay } from 'node:timers/promises'
import { Semaphore } from './semaphore.engine.js'

describe(Semaphore, () => {
  it('runs the given number of tasks at once, and finally all', async () => {
    const gate = new Semaphore(2)
    let [inside, most] = [0, 0]
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map((each) =>
        gate.run(async () => {
          most = Math.max(most, ++inside)
          await delay(2)
          inside--
          if (each === 3) throw new Error('three')
          return each
        }),
      ),
    )
    expect(most).toBe(2)
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      1,
      2,
      'three',
      4,
      5,
      6,
    ])
    expect(await gate.run(async () => 'again')).toBe('again')
  })
})

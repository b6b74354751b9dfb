import fc from 'fast-check'
import { ConcurrencyLimiter, LANES, type Lane } from './concurrency-limiter.engine.js'

describe(ConcurrencyLimiter, () => {
  it('never runs more at once than it has slots, and runs everything that it accepts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(6),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (slots, queue, tasks) => {
          const limiter = new ConcurrencyLimiter(slots, queue)
          let running = 0
          let maximum = 0
          const outcomes = await Promise.allSettled(
            tasks.map((succeeds) =>
              limiter.run('sign-in', async () => {
                maximum = Math.max(maximum, ++running)
                await Promise.resolve()
                running--
                if (!succeeds) throw new Error('the task failed')
              }),
            ),
          )
          expect(maximum).toBeLessThanOrEqual(slots)
          const busy = outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'Busy')
          expect(busy).toHaveLength(Math.max(0, tasks.length - slots - queue))
        },
      ),
    )
  })

  it('lets sign-ins in while sign-ups fill their queue, and those of known networks first', async () => {
    const limiter = new ConcurrencyLimiter(1, 8)
    const order: Lane[] = []
    const enter = (lane: Lane) => limiter.run(lane, async () => void order.push(lane)).catch(({ code }) => code)
    const { promise, resolve } = Promise.withResolvers<void>()
    const running = limiter.run('sign-up', () => promise)
    const flood = Array.from({ length: 30 }, () => enter('sign-up'))
    const guesses = Array.from({ length: 30 }, () => enter('sign-in'))
    const right = [enter('known'), enter('known')]
    resolve()
    await running
    const outcomes = await Promise.all([...flood, ...guesses, ...right])
    expect(outcomes.filter((outcome) => outcome === 'Busy')).toHaveLength(44)
    expect(outcomes.slice(-2)).toEqual([undefined, undefined])
    expect(order.slice(0, 2)).toEqual(['known', 'known'])
  })

  it.each(LANES)('lets nobody wait for ever in the lane %s while the others are always full', async (lane) => {
    const limiter = new ConcurrencyLimiter(1, 4)
    let others = 0
    let isDone = false
    const busy = async (other: Lane) => {
      while (!isDone) await limiter.run(other, async () => void others++)
    }
    const rest = LANES.filter((other) => other !== lane && (lane === 'sign-up' || other === 'sign-up')).flatMap((other) => [
      busy(other),
      busy(other),
    ])
    await limiter.run(lane, async () => {
      isDone = true
    })
    await Promise.all(rest)
    expect(others).toBeLessThan(12)
  })

  it('frees the slot of a task that fails', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    await expect(limiter.run('sign-in', () => Promise.reject(new Error('the task failed')))).rejects.toThrow('the task failed')
    await expect(limiter.run('sign-up', async () => 'done')).resolves.toBe('done')
  })

  it('says when to try again where it refuses', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = limiter.run('sign-in', () => promise)
    await expect(limiter.run('sign-in', async () => {})).rejects.toMatchObject({
      status: 503,
      code: 'Busy',
      headers: { 'retry-after': '1' },
    })
    resolve()
    await first
  })
})

import fc from 'fast-check'
import { ConcurrencyLimiter } from './concurrency-limiter.engine.js'

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
              limiter.run(async () => {
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

  it('frees the slot of a task that fails', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    await expect(limiter.run(() => Promise.reject(new Error('the task failed')))).rejects.toThrow('the task failed')
    await expect(limiter.run(async () => 'done')).resolves.toBe('done')
  })

  it('says when to try again where it refuses', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = limiter.run(() => promise)
    await expect(limiter.run(async () => {})).rejects.toMatchObject({ status: 503, code: 'Busy', headers: { 'retry-after': '1' } })
    resolve()
    await first
  })
})

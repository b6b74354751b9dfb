import fc from 'fast-check'
import { Admission } from './admission.js'

describe(Admission, () => {
  it('never runs more at once than it has slots, and runs everything it let in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(6),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (slots, queue, works) => {
          const admission = new Admission(slots, queue)
          let running = 0
          let most = 0
          const outcomes = await Promise.allSettled(
            works.map((succeeds) =>
              admission.run(async () => {
                most = Math.max(most, ++running)
                await Promise.resolve()
                running--
                if (!succeeds) throw new Error('the work failed')
              }),
            ),
          )
          expect(most).toBeLessThanOrEqual(slots)
          const busy = outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'Busy')
          expect(busy).toHaveLength(Math.max(0, works.length - slots - queue))
        },
      ),
    )
  })

  it('lets others in once work has failed', async () => {
    const admission = new Admission(1, 0)
    await expect(admission.run(() => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed')
    await expect(admission.run(async () => 'done')).resolves.toBe('done')
  })

  it('refuses with the time to come back', async () => {
    const admission = new Admission(1, 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = admission.run(() => promise)
    await expect(admission.run(async () => {})).rejects.toMatchObject({ status: 503, code: 'Busy', headers: { 'retry-after': '1' } })
    resolve()
    await first
  })
})

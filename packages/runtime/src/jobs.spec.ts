import { once } from 'node:events'
import { jest } from '@jest/globals'
import { Jobs } from './jobs.js'
import { Lifecycle } from './lifecycle.js'
import type { Logger } from './logger.js'
import { Metrics } from './metrics.js'

describe('Jobs.run', () => {
  it('begins at once, aborts the signal at the stop, and makes the stop wait for the end', async () => {
    const { jobs, lifecycle } = jobsOf()
    const order: string[] = []
    const end = Promise.withResolvers<void>()
    jobs.run(async (signal) => {
      order.push('begun')
      await once(signal, 'abort')
      order.push('told')
      await end.promise
      order.push('ended')
    })
    expect(order).toEqual(['begun'])
    const drained = lifecycle.run('drain').then(() => order.push('drained'))
    setImmediate(() => end.resolve())
    await drained
    expect(order).toEqual(['begun', 'told', 'ended', 'drained'])
  })

  it('logs work that fails at its end, and does not block the stop', async () => {
    const { jobs, lifecycle, logger } = jobsOf()
    jobs.run(async (signal) => {
      await once(signal, 'abort')
      throw new Error('no')
    })
    await lifecycle.run('drain')
    expect(logger.error).toHaveBeenCalledWith(expect.objectContaining({ err: new Error('no') }), 'a step of the stop failed')
  })
})

describe('Jobs.every', () => {
  it('shows when a job last succeeded, and not that it failed', async () => {
    const { jobs, metrics, lifecycle } = jobsOf()
    await jobs.every(60_000, 'sweep', async () => {})
    await jobs.every(60_000, 'break', () => Promise.reject(new Error('no')))
    const { values } = await metrics.jobSucceeded.get()
    expect(values).toEqual([{ labels: { job: 'sweep' }, value: expect.any(Number) }])
    expect(Math.abs(Date.now() / 1000 - (values[0]?.value ?? 0))).toBeLessThan(60)
    await lifecycle.run('drain')
  })
})

describe('Jobs.runForever', () => {
  it('logs the given messages, and does not make the stop wait for the next attempt', async () => {
    const { jobs, lifecycle, logger } = jobsOf()
    const told = Promise.withResolvers<void>()
    logger.warn.mockImplementation(() => told.resolve())
    let attempts = 0
    jobs.runForever({ failure: 'it cannot be done', recovery: 'it is done again', fields: { of: 'something' } }, async (retrier) => {
      while (!retrier.signal.aborted) await retrier.attempt(() => Promise.reject(new Error(`away ${++attempts}`)))
    })
    await told.promise
    await lifecycle.run('drain')
    expect(logger.warn.mock.calls).toEqual([[{ err: new Error('away 1'), of: 'something' }, 'it cannot be done']])
    expect(attempts).toBe(1)
    expect(logger.error).not.toHaveBeenCalled()
  })
})

function jobsOf() {
  const logger = { info: jest.fn(), warn: jest.fn(), error: jest.fn() }
  const lifecycle = new Lifecycle(logger as unknown as Logger)
  const metrics = new Metrics()
  return { jobs: new Jobs(lifecycle, logger as unknown as Logger, metrics), metrics, lifecycle, logger }
}

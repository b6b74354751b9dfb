import { jest } from '@jest/globals'
import { Lifecycle } from './lifecycle.js'
import type { Logger } from './logger.js'

describe(Lifecycle, () => {
  it('runs every step of a phase although one fails, and logs the failure', async () => {
    const error = jest.fn()
    const lifecycle = new Lifecycle({ error } as unknown as Logger)
    const ran: string[] = []
    lifecycle.onFlush(() => {
      throw new Error('no')
    })
    lifecycle.onFlush(async () => void ran.push('flush'))
    lifecycle.onClose(() => void ran.push('close'))
    await lifecycle.run('flush')
    expect(ran).toEqual(['flush'])
    expect(error).toHaveBeenCalledTimes(1)
  })

  it('continues when a step hangs', async () => {
    jest.useFakeTimers()
    const error = jest.fn()
    const lifecycle = new Lifecycle({ error } as unknown as Logger)
    lifecycle.onDrain(() => new Promise(() => {}))
    const ran = lifecycle.run('drain')
    await jest.runAllTimersAsync()
    jest.useRealTimers()
    await ran
    expect(error).toHaveBeenCalledTimes(1)
  })
})

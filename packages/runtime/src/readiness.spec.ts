import { jest } from '@jest/globals'
import { Readiness } from './readiness.js'

describe(Readiness, () => {
  it('is ready when every check passes', async () => {
    const readiness = new Readiness()
    readiness.add('postgres', async () => {})
    expect(await readiness.report()).toEqual({ ready: true, checks: { postgres: 'ok' } })
  })

  it('names the check that fails', async () => {
    const readiness = new Readiness()
    readiness.add('postgres', () => {
      throw new Error('away')
    })
    readiness.add('keys', () => {})
    expect(await readiness.report()).toEqual({ ready: false, checks: { postgres: 'failed', keys: 'ok' }, reasons: { postgres: 'away' } })
  })

  it('is ready with a note, and shows it while there is one', async () => {
    const readiness = new Readiness()
    let note: string | undefined = 'The file is wrong.'
    readiness.addNote('upstreams', () => note)
    expect(await readiness.report()).toEqual({ ready: true, checks: {}, notes: { upstreams: 'The file is wrong.' } })
    note = undefined
    expect(await readiness.report()).toEqual({ ready: true, checks: {} })
  })

  it('treats a check that hangs as failed', async () => {
    jest.useFakeTimers()
    const readiness = new Readiness()
    readiness.add('postgres', () => new Promise(() => {}))
    const report = readiness.report()
    await jest.runAllTimersAsync()
    jest.useRealTimers()
    expect(await report).toEqual({ ready: false, checks: { postgres: 'failed' }, reasons: { postgres: 'Timed out after 2000 ms.' } })
  })

  it('is not ready once the service stops', async () => {
    const readiness = new Readiness()
    readiness.stopping = true
    expect(await readiness.report()).toEqual({ ready: false, checks: {}, reasons: { service: 'It is stopping.' } })
  })
})

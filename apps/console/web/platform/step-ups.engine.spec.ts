import { stepUps } from './step-ups.engine.js'

describe('step-ups', () => {
  it('ask once for all calls that wait, and let them go on together', async () => {
    let told = 0
    const unsubscribe = stepUps.subscribe(() => told++)
    const calls = [stepUps.request(), stepUps.request()]
    await Promise.resolve()
    expect([stepUps.isWaiting(), told]).toEqual([true, 1])
    stepUps.proven()
    expect(await Promise.all(calls)).toEqual([undefined, undefined])
    expect([stepUps.isWaiting(), told]).toEqual([false, 2])
    unsubscribe()
  })

  it('fail as one where the user cancels, and the next one asks again', async () => {
    const call = stepUps.request()
    stepUps.cancelled()
    await expect(call).rejects.toMatchObject({ code: 'StepUpCancelled' })
    const next = stepUps.request()
    stepUps.proven()
    await expect(next).resolves.toBeUndefined()
  })
})

import { Turns } from './turns.engine.js'

describe(Turns, () => {
  it('runs three of one network at once, and those of another beside them', async () => {
    const turns = new Turns()
    const running: string[] = []
    const gate = Promise.withResolvers<void>()
    const enter = (network: string) =>
      turns.run(network, async () => {
        running.push(network)
        await gate.promise
      })
    const all = [...Array.from({ length: 10 }, () => enter('flood')), enter('other')]
    expect(running).toEqual(['flood', 'flood', 'flood', 'other'])
    gate.resolve()
    await Promise.all(all)
    expect(running).toHaveLength(11)
  })

  it('gives the place of a failed task to the next', async () => {
    const turns = new Turns()
    const tasks = Array.from({ length: 8 }, (_, at) =>
      turns.run('a', () => (at < 7 ? Promise.reject(new Error('failed')) : Promise.resolve('done'))),
    )
    expect((await Promise.allSettled(tasks)).at(-1)).toEqual({ status: 'fulfilled', value: 'done' })
  })

  it('refuses where five hundred wait', async () => {
    const turns = new Turns()
    const gate = Promise.withResolvers<void>()
    const tasks = Array.from({ length: 503 }, () => turns.run('a', () => gate.promise))
    await expect(turns.run('a', () => gate.promise)).rejects.toMatchObject({ status: 503, code: 'Busy' })
    gate.resolve()
    await Promise.all(tasks)
  })
})

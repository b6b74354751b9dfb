import { Turns } from './turns.js'

describe(Turns, () => {
  it('runs three of one network at once, and those of another beside them', async () => {
    const turns = new Turns(3)
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
    const turns = new Turns(3)
    const tasks = Array.from({ length: 8 }, (_, at) =>
      turns.run('a', () => (at < 7 ? Promise.reject(new Error('failed')) : Promise.resolve('done'))),
    )
    expect((await Promise.allSettled(tasks)).at(-1)).toEqual({ status: 'fulfilled', value: 'done' })
  })

  it('refuses where five hundred wait', async () => {
    const turns = new Turns(3)
    const gate = Promise.withResolvers<void>()
    const tasks = Array.from({ length: 503 }, () => turns.run('a', () => gate.promise))
    await expect(turns.run('a', () => gate.promise)).rejects.toMatchObject({ status: 503, code: 'Busy' })
    gate.resolve()
    await Promise.all(tasks)
  })

  it('refuses who has waited for too long, and no other', async () => {
    const turns = new Turns(1, 50)
    const gate = Promise.withResolvers<string>()
    const first = turns.run('a', () => gate.promise)
    const second = turns.run('a', () => Promise.resolve('never'))
    await expect(second).rejects.toMatchObject({ status: 503, code: 'Busy' })
    const third = turns.run('a', () => Promise.resolve('third'))
    gate.resolve('first')
    expect(await Promise.all([first, third])).toEqual(['first', 'third'])
    expect(await turns.run('a', () => Promise.resolve('again'))).toBe('again')
  })

  it('keeps nothing of what has ended', async () => {
    const turns = new Turns(1)
    await Promise.all(Array.from({ length: 10 }, (_, at) => turns.run(`name ${at % 2}`, () => Promise.resolve())))
    expect(Reflect.get(turns, 'lines')).toEqual(new Map())
  })
})

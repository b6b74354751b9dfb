import fc from 'fast-check'
import { ConcurrencyLimiter, LANES, type Lane } from './concurrency-limiter.engine.js'

const SIGN_IN = { lane: 'sign-in', turnOf: 'x' } as const
const SIGN_UP = { lane: 'sign-up', turnOf: 'x' } as const

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
              limiter.run(SIGN_IN, async () => {
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
    const enter = (lane: Lane) => limiter.run({ lane, turnOf: 'x' }, async () => void order.push(lane)).catch(({ code }) => code)
    const { promise, resolve } = Promise.withResolvers<void>()
    const running = limiter.run(SIGN_UP, () => promise)
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

  it('lets a sign-in from another network in while one network fills the queue, and runs it next but one', async () => {
    const limiter = new ConcurrencyLimiter(1, 8)
    const order: string[] = []
    const enter = (turnOf: string) =>
      limiter
        .run({ lane: 'sign-in', turnOf }, async () => void order.push(turnOf))
        .then(
          () => 'done',
          ({ code }) => code,
        )
    const { promise, resolve } = Promise.withResolvers<void>()
    const running = limiter.run(SIGN_IN, () => promise)
    const flood = Array.from({ length: 30 }, () => enter('flood'))
    const right = enter('right')
    resolve()
    await running
    expect(await right).toBe('done')
    expect(order.indexOf('right')).toBeLessThanOrEqual(1)
    expect((await Promise.all(flood)).filter((outcome) => outcome === 'done')).toHaveLength(7)
  })

  it.each(LANES)('lets nobody wait for ever in the lane %s while the others are always full', async (lane) => {
    const limiter = new ConcurrencyLimiter(1, 4)
    let others = 0
    let isDone = false
    const busy = async (other: Lane) => {
      while (!isDone) await limiter.run({ lane: other, turnOf: 'x' }, async () => void others++)
    }
    const rest = LANES.filter((other) => other !== lane && (lane === 'sign-up' || other === 'sign-up')).flatMap((other) => [
      busy(other),
      busy(other),
    ])
    await limiter.run({ lane, turnOf: 'x' }, async () => {
      isDone = true
    })
    await Promise.all(rest)
    expect(others).toBeLessThan(12)
  })

  it('frees the slot of a task that fails', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    await expect(limiter.run(SIGN_IN, () => Promise.reject(new Error('the task failed')))).rejects.toThrow('the task failed')
    await expect(limiter.run(SIGN_UP, async () => 'done')).resolves.toBe('done')
  })

  it('says when to try again where it refuses', async () => {
    const limiter = new ConcurrencyLimiter(1, 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = limiter.run(SIGN_IN, () => promise)
    await expect(limiter.run(SIGN_IN, async () => {})).rejects.toMatchObject({
      status: 503,
      code: 'Busy',
      headers: { 'retry-after': '1' },
    })
    resolve()
    await first
  })
})

import fc from 'fast-check'
import { UpstreamHealth } from './upstream-health.js'

describe(UpstreamHealth, () => {
  it('follows the latency of the answers', () => {
    const health = new UpstreamHealth()
    for (let i = 0; i < 100; i++) answer(health, i, 7)
    expect(health.latencyMs).toBeCloseTo(7, 1)
  })

  it('knows the 95th percentile of the latency', () => {
    const health = new UpstreamHealth()
    const times = fc.sample(fc.double({ min: 0, max: 100, noNaN: true }), { numRuns: 5000, seed: 7 })
    let sum = 0
    times.forEach((_, i) => {
      answer(health, i, ((i * 7919) % 1000) / 10)
      if (i >= 1000) sum += health.p95Ms / 4000
    })
    expect(sum).toBeGreaterThan(85)
    expect(sum).toBeLessThan(105)
  })

  it('reports a higher load the more it has in flight and the slower it is', () => {
    const [idle, busy, slow] = [new UpstreamHealth(), new UpstreamHealth(), new UpstreamHealth()]
    busy.began(0)
    for (let i = 0; i < 50; i++) answer(slow, i, 500)
    expect(busy.load).toBeGreaterThan(idle.load)
    expect(slow.load).toBeGreaterThan(busy.load)
  })

  it('tolerates a few failures, and many among more successes', () => {
    const health = new UpstreamHealth()
    for (let i = 0; i < 4; i++) fail(health, 0)
    expect(health.circuit(0)).toBe('closed')
    for (let i = 0; i < 20; i++) answer(health, 10, 1)
    for (let i = 0; i < 10; i++) fail(health, 20)
    expect(health.circuit(20)).toBe('closed')
  })

  it('forgets failures after ten seconds', () => {
    const health = new UpstreamHealth()
    for (let i = 0; i < 4; i++) fail(health, 0)
    fail(health, 11_000)
    expect(health.circuit(11_000)).toBe('closed')
  })

  it('opens its circuit when half of the answers are failures', () => {
    const health = banned()
    expect([health.circuit(999), health.admits(999)]).toEqual(['open', false])
  })

  it('admits one probe after the pause, and every call once that is answered', () => {
    const health = banned()
    expect([health.circuit(1_000), health.admits(1_000)]).toEqual(['half-open', true])
    health.began(1_000)
    expect(health.admits(1_001)).toBe(false)
    health.answered(1_002, 2)
    expect([health.circuit(1_002), health.admits(1_002)]).toEqual(['closed', true])
    fail(health, 1_003)
    expect(health.circuit(1_003)).toBe('closed')
  })

  it('doubles the pause each time, up to a minute', () => {
    const health = banned()
    let now = 1_000
    const bans: number[] = []
    for (let i = 0; i < 8; i++) {
      fail(health, now)
      const start = now
      while (!health.admits(now)) now += 100
      bans.push(now - start)
    }
    expect(bans).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('admits another probe when the first was abandoned', () => {
    const health = banned()
    health.began(1_000)
    health.ended()
    expect(health.admits(1_001)).toBe(true)
  })

  it('pauses as long as it asked to, without a failure', () => {
    const health = new UpstreamHealth()
    for (let i = 0; i < 9; i++) {
      health.began(0)
      health.limited(0, 5_000)
    }
    expect([health.isResting(4_999), health.admits(4_999), health.admits(5_000), health.circuit(0)]).toEqual([true, false, true, 'closed'])
  })
})

function answer(health: UpstreamHealth, now: number, tookMs: number): void {
  health.began(now)
  health.answered(now, tookMs)
}

function fail(health: UpstreamHealth, now: number): void {
  health.began(now)
  health.failed(now)
}

function banned(): UpstreamHealth {
  const health = new UpstreamHealth()
  for (let i = 0; i < 5; i++) fail(health, 0)
  return health
}

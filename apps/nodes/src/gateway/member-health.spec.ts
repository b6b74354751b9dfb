import { MemberHealth } from './member-health.js'

describe(MemberHealth, () => {
  it('is well until it failed three times in a row', () => {
    const health = new MemberHealth()
    fail(health, 0, 2)
    health.answered()
    fail(health, 0, 2)
    expect(health.isWell(0)).toBe(true)
    fail(health, 0, 1)
    expect(health.isWell(0)).toBe(false)
  })

  it('is asked once after a rest, and rests twice as long where that fails, up to 15 seconds', () => {
    const health = new MemberHealth()
    fail(health, 0, 3)
    let now = 0
    for (const rest of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      expect(health.isWell(now + rest - 1)).toBe(false)
      now += rest
      expect(health.isWell(now)).toBe(true)
      health.began(now)
      expect(health.isWell(now)).toBe(false)
      health.failed(now)
    }
  })

  it('is well again once it answers', () => {
    const health = new MemberHealth()
    fail(health, 0, 3)
    health.began(500)
    health.answered()
    expect(health.isWell(500)).toBe(true)
  })

  it('is asked again where nobody waited for the call that was to see', () => {
    const health = new MemberHealth()
    fail(health, 0, 3)
    health.began(500)
    health.ended()
    expect(health.isWell(501)).toBe(true)
  })

  it('is not blamed for what was sent before it rested', () => {
    const health = new MemberHealth()
    fail(health, 0, 10)
    expect(health.isWell(500)).toBe(true)
  })
})

function fail(health: MemberHealth, now: number, times: number): void {
  for (let i = 0; i < times; i++) health.failed(now)
}

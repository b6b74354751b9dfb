import { FailureLimit } from './security-trail.js'

describe(FailureLimit, () => {
  it('admits so many failures of one address a minute, and still those of others', () => {
    const limit = new FailureLimit()
    const admitted = Array.from({ length: 100 }, (_, at) => limit.admits('192.0.2.1', at)).filter(Boolean)
    expect(admitted).toHaveLength(60)
    expect(limit.admits('192.0.2.2', 100)).toBe(true)
    expect(limit.admits('192.0.2.1', 60_000)).toBe(true)
  })

  it('admits so many failures of all addresses a minute, and remembers no more addresses', () => {
    const limit = new FailureLimit()
    const admitted = Array.from({ length: 5000 }, (_, at) => limit.admits(`192.0.2.${at}`, at)).filter(Boolean)
    expect(admitted).toHaveLength(1000)
  })
})

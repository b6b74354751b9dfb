import { checkQuota } from './new-workload.js'

const plan = (nodes: number, clusters = 0) => ({ id: 'plan', nodes, clusters, startsAt: new Date(0), expiresAt: new Date(1) })

describe(checkQuota, () => {
  it('refuses more than the plan grants', () => {
    expect(() => checkQuota('node', { owned: 4, createdToday: 4 }, plan(5))).not.toThrow()
    expect(() => checkQuota('node', { owned: 5, createdToday: 5 }, plan(5))).toThrow(
      expect.objectContaining({ status: 403, code: 'LimitExceeded' }),
    )
    expect(() => checkQuota('cluster', { owned: 0, createdToday: 0 }, plan(5))).toThrow(expect.objectContaining({ status: 403 }))
  })

  it.each([
    [5, 50],
    [20, 200],
  ])('lets an owner of %i create %i a day, however many are removed', (nodes, most) => {
    expect(() => checkQuota('node', { owned: 0, createdToday: most - 1 }, plan(nodes))).not.toThrow()
    expect(() => checkQuota('node', { owned: 0, createdToday: most }, plan(nodes))).toThrow(
      expect.objectContaining({ status: 429, code: 'LimitExceeded', headers: { 'retry-after': '3600' } }),
    )
  })
})

import { type NodesUnderTest, startNodesUnderTest } from './nodes-under-test.js'

describe('with PLAN_NODES=0', () => {
  let nodes: NodesUnderTest
  beforeAll(async () => {
    nodes = await startNodesUnderTest({ PLAN_NODES: '0' })
  })
  afterAll(() => nodes.stop())

  it('nobody creates a node or a cluster until an administrator grants a plan, whom the refusal names', async () => {
    const owner = nodes.user()
    for (const [path, kind] of [
      ['/users/me/nodes', 'node'],
      ['/users/me/clusters', 'cluster'],
    ] as const) {
      const { status, body } = await owner('POST', path, { image: 'ltc' })
      expect([status, body.code]).toEqual([403, 'LimitExceeded'])
      expect(body.detail).toBe(`You have 0 of at most 0 ${kind}s: ask an administrator of this platform for a larger plan.`)
    }
    const manager = nodes.accounts.issuer.account({ payload: { aud: ['nodes', 'manager'] } })
    const plan = { nodes: 1, clusters: 0, expiresAt: '2030-01-01T00:00:00.000Z' }
    const as = { authorization: `Bearer ${manager}` }
    expect(await owner('PUT', `/users/${owner.userId}/plan`, plan, as)).toMatchObject({ status: 200, body: plan })
    expect((await owner('POST', '/users/me/nodes', { image: 'ltc' })).status).toBe(200)
    expect((await owner('POST', '/users/me/nodes', { image: 'ltc' })).body.detail).toBe(
      'You have 1 of at most 1 nodes: remove one first, or ask an administrator of this platform for a larger plan.',
    )
    expect((await owner('POST', '/users/me/clusters', { image: 'ltc' })).status).toBe(403)
  })
})

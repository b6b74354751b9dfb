import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@trestle/testing/eventually'
import { type NodesUnderTest, type NodesUser, nodeAuthorization, PATIENCE_MS, pidsOf, startNodesUnderTest } from './nodes-under-test.js'

const NODES = '/users/me/nodes'
const HEIGHT = { jsonrpc: '1.0', id: 1, method: 'getblockcount', params: [] }

let nodes: NodesUnderTest
let owner: NodesUser
beforeAll(async () => {
  nodes = await startNodesUnderTest({ BIN_HOURS: '72', PLAN_NODES: '1' })
})
afterAll(() => nodes.stop())
beforeEach(() => {
  owner = nodes.user()
})

describe('a removed node', () => {
  it('is restored with its chain, its URL and its credentials', async () => {
    const { id, nodeUser, nodePass, url } = (await owner('POST', NODES, { image: 'ltc' })).body
    const authorization = nodeAuthorization(nodeUser, nodePass)
    const height = () => nodes.rpc(id, authorization, HEIGHT)
    await untilCallable(id, authorization)
    const mine = { ...HEIGHT, method: 'generatetoaddress', params: [3, ADDRESS] }
    expect(await nodes.rpc(id, authorization, mine)).toMatchObject({ status: 200 })

    expect(await owner('DELETE', `${NODES}/${id}`)).toMatchObject({ status: 200, body: { id, state: 'removed' } })
    expect(await owner('GET', `${NODES}/${id}`)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
    await eventually(() => pidsOf(id).length === 0 || undefined, 'it is stopped', PATIENCE_MS)
    expect(await height()).toMatchObject({ status: 404 })
    expect(existsSync(folderOf(id))).toBe(true)
    const [listed] = (await owner('GET', `${NODES}?all=true`)).body
    expect(Date.parse(listed.purgeAt) - Date.now()).toBeGreaterThan(71 * 3_600_000)

    expect(await owner('POST', `${NODES}/${id}/restore`)).toMatchObject({ status: 200, body: { id, url, state: 'started' } })
    await untilCallable(id, authorization)
    expect((await height()).body.result).toBe(3)
    await owner('DELETE', `${NODES}/${id}?purge=true`)
  })

  it('is deleted for ever by who says so, before or after', async () => {
    const { id } = (await owner('POST', NODES, { image: 'eth' })).body
    await eventually(() => existsSync(folderOf(id)) || undefined, 'it is made', PATIENCE_MS)
    await owner('DELETE', `${NODES}/${id}`)
    expect(await owner('DELETE', `${NODES}/${id}`)).toMatchObject({ status: 404 })
    expect(await owner('DELETE', `${NODES}/${id}?purge=true`)).toMatchObject({ status: 200, body: { id, state: 'removed' } })
    await eventually(() => !existsSync(folderOf(id)) || undefined, 'its folder is gone', PATIENCE_MS)
    expect(await owner('POST', `${NODES}/${id}/restore`)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
    expect(await owner('DELETE', `${NODES}/${id}?purge=true`)).toMatchObject({ status: 404 })
  })

  it('makes room in the plan, and needs room to come back; nobody else can restore it', async () => {
    const { id } = (await owner('POST', NODES, { image: 'ltc' })).body
    await owner('DELETE', `${NODES}/${id}`)
    const { id: next } = (await owner('POST', NODES, { image: 'ltc' })).body
    expect(await owner('POST', `${NODES}/${id}/restore`)).toMatchObject({ status: 403, body: { code: 'LimitExceeded' } })
    expect(await nodes.user()('POST', `${NODES}/${id}/restore`)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
    await owner('DELETE', `${NODES}/${next}?purge=true`)
    expect(await owner('POST', `${NODES}/${id}/restore`)).toMatchObject({ status: 200 })
    await owner('DELETE', `${NODES}/${id}?purge=true`)
  })

  it('makes room for newer ones, so that nobody fills the disks', async () => {
    const ids: string[] = []
    for (let i = 0; i < 12; i++) {
      const { id } = (await owner('POST', NODES, { image: 'ltc' })).body
      await owner('DELETE', `${NODES}/${id}`)
      ids.push(id)
    }
    const { rows } = await nodes.sql.query('SELECT id FROM workload WHERE id = ANY($1) AND purge_at > now() ORDER BY serial', [ids])
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(2))
  })
})

const ADDRESS = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'

function folderOf(id: string): string {
  return join(nodes.environment.DATA_DIR, id)
}

async function untilCallable(id: string, authorization: string): Promise<void> {
  await eventually(async () => (await nodes.rpc(id, authorization, HEIGHT)).status === 200 || undefined, 'it can be called', PATIENCE_MS)
}

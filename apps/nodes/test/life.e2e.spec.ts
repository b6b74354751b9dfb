import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { userDeleted, userDisabled } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type NodesUnderTest, type NodesUser, nodeAuthorization, PATIENCE_MS, pidsOf, startNodesUnderTest } from './nodes-under-test.js'

const CHAIN_INFO = { jsonrpc: '1.0', id: 1, method: 'getblockchaininfo', params: [] }
const CHAIN_ID = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

let nodes: NodesUnderTest
let owner: NodesUser
beforeAll(async () => {
  nodes = await startNodesUnderTest()
})
afterAll(() => nodes.stop())
beforeEach(() => {
  owner = nodes.user()
})

describe('a node, from its creation to its end', () => {
  it.each([
    ['ltc', CHAIN_INFO, { chain: 'regtest' }],
    ['btc', CHAIN_INFO, { chain: 'regtest' }],
    ['eth', CHAIN_ID, '0x539'],
    ['etc', CHAIN_ID, '0x3d'],
  ])('is made of %s, answers who shows its credentials, and leaves nothing behind', async (image, question, result) => {
    const { status, body: created } = await owner('POST', '/users/me/nodes', { image })
    expect({ status, created }).toMatchObject({
      status: 200,
      created: { user: owner.userId, image, state: 'started', auth: { type: 'basic' } },
    })
    const { id, nodeUser, nodePass } = created
    const answer = await untilAnswered(id, nodeAuthorization(nodeUser, nodePass), question)
    expect(answer).toMatchObject({ status: 200, body: { result, id: 1 } })
    expect(await nodes.rpc(id, nodeAuthorization(nodeUser, `${nodePass}x`), question)).toMatchObject({ status: 401 })
    expect(await owner('DELETE', `/users/me/nodes/${id}`)).toMatchObject({ status: 200, body: { id, state: 'removed' } })
    expect(await owner('GET', `/users/me/nodes/${id}`)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
    await untilGone(id)
    expect(await nodes.rpc(id, nodeAuthorization(nodeUser, nodePass), question)).toMatchObject({ status: 404 })
    expect((await owner('GET', '/users/me/nodes?all=true')).body).toMatchObject([{ id, state: 'removed' }])
  })

  it('stops when its owner is disabled, keeps its data, and stops no other', async () => {
    const stranger = nodes.user()
    const { body: own } = await owner('POST', '/users/me/nodes', { image: 'eth' })
    const { body: others } = await stranger('POST', '/users/me/nodes', { image: 'eth' })
    const call = ({ id, nodeUser, nodePass }: typeof own) => nodes.rpc(id, nodeAuthorization(nodeUser, nodePass), CHAIN_ID)
    await Promise.all([own, others].map(({ id, nodeUser, nodePass }) => untilAnswered(id, nodeAuthorization(nodeUser, nodePass), CHAIN_ID)))
    await disable(owner, new Date())
    await eventually(async () => (await call(own)).body.code === 'Stopped' || undefined, 'it is stopped', PATIENCE_MS)
    expect(await call(others)).toMatchObject({ status: 200 })
    await owner('POST', `/users/me/nodes/${own.id}/start`)
    await untilAnswered(own.id, nodeAuthorization(own.nodeUser, own.nodePass), CHAIN_ID)
    // As it was told before it was started again.
    await disable(owner, new Date(Date.now() - 120_000))
    await disable(stranger, new Date())
    await eventually(async () => (await call(others)).body.code === 'Stopped' || undefined, 'it is stopped', PATIENCE_MS)
    expect(await call(own)).toMatchObject({ status: 200 })
    await Promise.all([owner('DELETE', `/users/me/nodes/${own.id}`), stranger('DELETE', `/users/me/nodes/${others.id}`)])
  })

  it('has both shapes in the answer to its creation, and one of them later', async () => {
    const { body: created } = await owner('POST', '/users/me/nodes', { image: 'ltc', large: true })
    expect(created).toMatchObject({
      id: expect.stringMatching(/^node-[0-9a-f-]{36}$/),
      image: 'ltc',
      version: expect.any(String),
      nodeUser: expect.any(String),
      nodePass: expect.stringMatching(/^[\w-]{32}$/),
      startedAt: expect.stringMatching(/Z$/),
      instance: { vendor: 'local', id: expect.any(String), imageId: expect.any(String), type: 'process' },
      chain: 'ltc',
      serviceData: { performance: 'large', software: 'litecoin-0.21', ports: [expect.any(Number)] },
    })
    const { body: listed } = await owner('GET', '/users/me/nodes')
    expect(listed).toMatchObject([{ id: created.id, auth: { type: 'basic', user: created.nodeUser, pass: created.nodePass } }])
    expect(listed[0]).not.toHaveProperty('nodePass')
  })
})

describe('the nodes of a deleted user', () => {
  it('are counted before, and removed with their data, however often it is announced', async () => {
    const stranger = nodes.user()
    const { body: created } = await owner('POST', '/users/me/nodes', { image: 'btc' })
    const { body: kept } = await stranger('POST', '/users/me/nodes', { image: 'btc' })
    expect(await nodes.accounts.countResources('nodes', personalOrganizationOf(owner.userId))).toEqual([
      { kind: 'node', state: 'started', count: 1, effect: 'deleted' },
    ])
    const deleted = { userId: owner.userId, deletedAt: new Date().toISOString() }
    await nodes.accounts.publish(userDeleted, deleted)
    await nodes.accounts.publish(userDeleted, deleted)
    await untilGone(created.id)
    expect(await nodes.accounts.countResources('nodes', personalOrganizationOf(owner.userId))).toEqual([])
    expect((await stranger('GET', `/users/me/nodes/${kept.id}`)).body.state).toBe('started')
    await stranger('DELETE', `/users/me/nodes/${kept.id}`)
  })
})

describe('a node whose program is killed', () => {
  it('is restarted with the same credentials and data', async () => {
    const { body: created } = await owner('POST', '/users/me/nodes', { image: 'ltc' })
    const { id, nodeUser, nodePass } = created
    const credentials = nodeAuthorization(nodeUser, nodePass)
    await untilAnswered(id, credentials, CHAIN_INFO)
    const [pid] = pidsOf(id)
    process.kill(pid!, 'SIGKILL')
    await eventually(() => pidsOf(id).some((other) => other !== pid) || undefined, 'another process', PATIENCE_MS)
    expect(await untilAnswered(id, credentials, CHAIN_INFO)).toMatchObject({ status: 200, body: { result: { chain: 'regtest' } } })
  })

  it('keeps running while the service restarts, and is found again', async () => {
    const { body: created } = await owner('POST', '/users/me/nodes', { image: 'ltc' })
    const credentials = nodeAuthorization(created.nodeUser, created.nodePass)
    await untilAnswered(created.id, credentials, CHAIN_INFO)
    const pids = pidsOf(created.id)
    await nodes.restart()
    expect(await untilAnswered(created.id, credentials, CHAIN_INFO)).toMatchObject({ status: 200 })
    expect(pids).toHaveLength(1)
    expect(pidsOf(created.id)).toEqual(pids)
  })
})

describe('a node that is stopped', () => {
  it('does not run or answer, and has its data when it is started again', async () => {
    const { body: created } = await owner('POST', '/users/me/nodes', { image: 'btc' })
    const credentials = nodeAuthorization(created.nodeUser, created.nodePass)
    await untilAnswered(created.id, credentials, CHAIN_INFO)
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const mined = { jsonrpc: '1.0', id: 1, method: 'generatetoaddress', params: [3, address] }
    expect((await nodes.rpc(created.id, credentials, mined)).body.result).toHaveLength(3)
    const { body: stopped } = await owner('POST', `/users/me/nodes/${created.id}/stop`)
    expect(stopped).toMatchObject({ state: 'stopped', stoppedAt: expect.any(String) })
    await untilPhase(owner, created.id, 'stopped')
    expect(await nodes.rpc(created.id, credentials, CHAIN_INFO)).toMatchObject({ status: 503 })
    expect(await owner('POST', `/users/me/nodes/${created.id}/start`)).toMatchObject({
      status: 200,
      body: { state: 'started', stoppedAt: null },
    })
    expect(await untilAnswered(created.id, credentials, CHAIN_INFO)).toMatchObject({ body: { result: { blocks: 3 } } })
  })
})

/** As accounts tells of it. */
async function disable({ userId }: NodesUser, at: Date): Promise<void> {
  await nodes.accounts.publish(userDisabled, { userId, disabledAt: at.toISOString() })
}

async function untilAnswered(id: string, authorization: string, question: object) {
  return eventually(
    async () => {
      const answer = await nodes.rpc(id, authorization, question)
      return answer.status === 200 ? answer : undefined
    },
    `${id} answers`,
    PATIENCE_MS,
  )
}

async function untilPhase(user: NodesUser, id: string, phase: string) {
  return eventually(
    async () => {
      const { body } = await user('GET', `/users/me/nodes/${id}/status`)
      return body.phase === phase ? body : undefined
    },
    `${id} is ${phase}`,
    PATIENCE_MS,
  )
}

async function untilGone(id: string) {
  await eventually(
    async () => {
      const { rows } = await nodes.sql.query('SELECT FROM workload WHERE id = $1 AND gone_at IS NOT NULL AND port IS NULL', [id])
      return rows[0]
    },
    `${id} is gone`,
    PATIENCE_MS,
  )
  expect(existsSync(join(nodes.environment.DATA_DIR, id))).toBe(false)
  expect(pidsOf(id)).toEqual([])
}

import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { callMachine, type GatewayUnderTest, type Held, postToGateway, startGateway } from './gateway/gateway-under-test.js'
import { json, type RecordingMachine, startRecordingMachine } from './gateway/recording-machine.js'

let gateway: GatewayUnderTest
let machine: RecordingMachine
let owner: string
let userId: string
beforeAll(async () => {
  ;[gateway, machine] = await Promise.all([startGateway(), startRecordingMachine()])
  owner = gateway.accounts.issuer.account()
  userId = JSON.parse(Buffer.from(owner.split('.')[1] ?? '', 'base64url').toString()).sub
})
beforeEach(() => machine.answers())
afterAll(async () => {
  await gateway.stop()
  await machine.stop()
})

it('tells what was called, by method and hour, and what was refused under another name', async () => {
  const node = await gateway.node(machine, { userId })
  const { authorization } = node
  await callMachine(node, 'eth_chainId')
  await callMachine(node, 'admin_peers')
  machine.answers((response) => json(response, { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'reverted' } }))
  await callMachine(node, 'eth_call')
  machine.answers()
  await postToGateway(
    node.url,
    '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"},{"id":1,"method":"x"}]',
    { authorization },
  )
  const usage = await eventually(async () => {
    const { body } = await usageOf(node)
    return body.usage.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0) === 6 ? body.usage : undefined
  }, 'all is written')
  const time = expect.stringMatching(/:00:00\.000Z$/)
  const bytesOut = expect.any(Number)
  expect(usage).toEqual([
    { time, method: 'eth_call', calls: 1, errors: 1, bytesOut },
    { time, method: 'eth_chainId', calls: 2, errors: 0, bytesOut },
    { time, method: 'eth_gasPrice', calls: 1, errors: 0, bytesOut },
    { time, method: 'other', calls: 2, errors: 2, bytesOut: 0 },
  ])
  const activity = await eventually(() => gateway.accounts.activities.find(({ input }) => input.route === '/rpc/{id}'), 'the owner is told')
  expect(activity).toMatchObject({ user: userId, service: 'nodes', input: { params: { id: node.id } } })
  expect(JSON.stringify(gateway.accounts.activities)).not.toContain(node.password)
})

it('is told to the owner only, of a range that is one', async () => {
  const node = await gateway.node(machine, { userId })
  const stranger = gateway.accounts.issuer.account()
  expect(await usageOf(node, '', stranger)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
  expect(await usageOf({ id: node.id }, '', owner, 'clusters')).toMatchObject({ status: 404, body: { code: 'UnknownCluster' } })
  expect(await usageOf(node, '?from=2026-01-01T00:00:00.000Z&to=2026-02-01T00:00:00.000Z')).toMatchObject({ status: 200 })
  expect(await usageOf(node, '?from=2026-01-01T00:00:00.000Z&to=2026-02-01T00:00:00.001Z')).toMatchObject({
    status: 400,
    body: { code: 'InvalidRange' },
  })
  expect(await usageOf(node, '?from=2026-01-02T00:00:00.000Z&to=2026-01-01T00:00:00.000Z')).toMatchObject({
    status: 400,
    body: { code: 'InvalidRange' },
  })
  expect((await callJson(`${gateway.service.url}/users/me/nodes/${node.id}/usage`)).status).toBe(401)
})

it('of a cluster is told too', async () => {
  const cluster = await gateway.cluster([machine, machine], { userId })
  await callMachine(cluster, 'eth_chainId')
  const found = await eventually(async () => (await usageOf(cluster, '', owner, 'clusters')).body.usage[0], 'it is written')
  expect(found).toMatchObject({ method: 'eth_chainId', calls: 1 })
})

function usageOf({ id }: Pick<Held, 'id'>, query = '', token = owner, kind = 'nodes') {
  return callJson(`${gateway.service.url}/users/me/${kind}/${id}/usage${query}`, { token })
}

import { MANAGER } from '@trestle/auth/claims'
import { AREAS } from '@trestle/contracts/areas'
import { eventually } from '@trestle/testing/eventually'
import { type FaultyStage, startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { callManagement } from './management.js'

const LIMITS = { perSecond: 1_000_000, perDay: 100_000_000_000 }

let stage: FaultyStage
let url: string
let hash: string
let owner: string
beforeAll(async () => {
  stage = await startFaultyStage()
  hash = await stage.transfer()
  await stage.mine()
  const { service, issuer } = stage.gateway
  const manager = issuer.account({ payload: { aud: [...AREAS, MANAGER] } })
  owner = issuer.account()
  const { body: me } = await callManagement(service, 'POST', '/projects', { token: owner, body: { name: 'mine' } })
  const granted = { ...LIMITS, namespaces: ['debug', 'trace', 'txpool', 'ots'] }
  await callManagement(service, 'PUT', `/users/${me.user}/limits`, { token: manager, body: granted })
  const project = { name: 'traces', namespaces: ['debug', 'trace', 'txpool'], limits: LIMITS }
  const { body } = await callManagement(service, 'POST', '/projects', { token: owner, body: project })
  url = `${service.url}/v1/${body.id}`
})
afterAll(() => stage.stop())

describe('a namespace that was granted', () => {
  it.each([
    ['debug_traceTransaction', () => [hash, { tracer: 'callTracer' }]],
    ['debug_traceCall', () => [{ to: stage.token }, 'latest', {}]],
    ['trace_transaction', () => [hash]],
    ['trace_block', () => ['latest']],
    ['txpool_status', () => []],
  ])('serves %s as a node does', async (method, params) => {
    const expected = await stage.anvils.nodes[0]!.rpc.call(method, ...params())
    expect(await resultOfRpc(url, method, ...params())).toEqual(expected)
  })

  it('is asked of a node that has it, and not again of one that has not', async () => {
    const [first, ...others] = stage.upstreams
    const error = { kind: 'error', code: -32601, message: 'the method trace_block does not exist/is not available' } as const
    await first!.fail(error, { methods: ['trace_block'] })
    for (let i = 0; i < 10; i++) expect((await callRpc(url, 'trace_block', 'latest')).error).toBeUndefined()
    for (const upstream of stage.upstreams) upstream.forget()
    for (let i = 0; i < 10; i++) await resultOfRpc(url, 'trace_block', 'earliest')
    expect(first!.asked('trace_block')).toBe(0)
    expect(others.reduce((sum, upstream) => sum + upstream.asked('trace_block'), 0)).toBeGreaterThan(0)
    await stage.heal()
  })

  it('is refused to a project that does not allow it, saying who may change that', async () => {
    const refused = await callRpc(stage.url, 'debug_traceTransaction', hash)
    expect(refused).toMatchObject({
      status: 200,
      error: { code: -32601, message: expect.stringContaining('administrators of this platform can grant') },
    })
    expect((await callRpc(url, 'ots_getApiLevel')).error?.message).toContain('the namespace ots')
    expect((await callRpc(url, 'debug_setHead', '0x0')).error?.message).toContain('for the operator of a node alone')
  })

  it('refuses a tracer that is a program', async () => {
    expect(await callRpc(url, 'debug_traceTransaction', hash, { tracer: '{}' })).toMatchObject({ status: 403, error: { code: -32016 } })
  })

  it('has compute units of its own in the usage', async () => {
    const id = url.split('/').at(-1)
    const methods = async (): Promise<{ method: string; calls: number; computeUnits: number }[]> =>
      (await callManagement(stage.gateway.service, 'GET', `/projects/${id}/usage`, { token: owner })).body.usage
    const traced = await eventually(async () => (await methods()).find(({ method }) => method === 'txpool_status'), 'it is counted')
    expect(traced).toMatchObject({ calls: 1, computeUnits: 20 })
  })
})

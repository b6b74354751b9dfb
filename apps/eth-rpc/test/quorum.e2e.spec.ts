import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import { type FaultyStage, metric, startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'

const LIE = `0x${'b'.repeat(16)}`
const TWO_OF_THREE = { agreeing: 2, nodes: 3 }

let stage: FaultyStage
let plain: string
let always: string
let asked: string
let somebody: string
beforeAll(async () => {
  stage = await startFaultyStage()
  await stage.mine(6)
  const project = (quorum?: object) => stage.gateway.project({ ...UNLIMITED, quorum })
  ;[plain, always, asked] = await Promise.all([project(), project(TWO_OF_THREE), project({ ...TWO_OF_THREE, methods: [], byHeader: true })])
  somebody = stage.anvils.accounts[1]!
})
afterEach(() => stage.heal())
afterAll(() => stage.stop())

describe('a project', () => {
  const create = (quorum: object) =>
    callManagement(stage.gateway.service, 'POST', '/projects', { token: stage.gateway.token, body: { name: 'mine', quorum } })

  it('shows its quorum, and may have none any more', async () => {
    const { body } = await create({ agreeing: 3, nodes: 3, methods: ['eth_get*'] })
    expect(body.quorum).toEqual({ agreeing: 3, nodes: 3, methods: ['eth_get*'], byHeader: false })
    const change = (quorum: object | null) =>
      callManagement(stage.gateway.service, 'PATCH', `/projects/${body.id}`, { token: stage.gateway.token, body: { quorum } })
    expect((await change(TWO_OF_THREE)).body.quorum).toEqual({ ...TWO_OF_THREE, methods: ['eth_*'], byHeader: false })
    expect((await change(null)).body).not.toHaveProperty('quorum')
  })

  it.each([
    [{ agreeing: 3, nodes: 4 }, 'QuorumTooLarge'],
    [{ ...TWO_OF_THREE, methods: ['eth_sendRawTransaction'] }, 'UnknownMethod'],
    [{ ...TWO_OF_THREE, methods: ['debug_*'] }, 'UnknownMethod'],
    [{ agreeing: 1, nodes: 3 }, 'InvalidInput'],
    [{ agreeing: 2, nodes: 4 }, 'InvalidInput'],
    [{ agreeing: 2, nodes: 3, method: ['eth_call'] }, 'InvalidInput'],
  ])('is refused %j', async (quorum, code) => {
    const { status, body } = await create(quorum)
    expect([status, body.code]).toEqual([400, code])
  })
})

describe('a call of a project with a quorum', () => {
  it.each([0, 1, 2])('is answered as the honest two of three do, alone and in a batch: node %d lies', async (liar) => {
    const truth = await balance()
    await stage.upstreams[liar]!.fail({ kind: 'lie', result: LIE }, { methods: ['eth_getBalance'] })
    await stage.mine()
    for (let call = 0; call < 5; call++) expect(await resultOfRpc(always, 'eth_getBalance', somebody, `0x${call}`)).toBe(truth)
    expect(await resultOfRpc(always, 'eth_getBalance', somebody)).toBe(truth)
    const batch = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBalance',
      params: [somebody, `0x${id % 3}`],
    }))
    const answers = (await (await post(always, batch)).json()) as { result?: string }[]
    expect(answers.map(({ result }) => result)).toEqual(batch.map(() => truth))
  })

  it('goes on while one of three is away', async () => {
    await stage.upstreams[0]!.fail({ kind: 'dead' })
    for (let call = 0; call < 5; call++) expect(await resultOfRpc(always, 'eth_getCode', stage.token, `0x${call}`)).toMatch(/^0x/)
  })

  it('is an error that says how many agree where two differ and one is away', async () => {
    await stage.upstreams[0]!.fail({ kind: 'status', status: 502 }, { methods: ['eth_getStorageAt'] })
    await stage.upstreams[1]!.fail({ kind: 'lie', result: LIE }, { methods: ['eth_getStorageAt'] })
    expect(await callRpc(always, 'eth_getStorageAt', stage.token, '0x7', 'latest')).toEqual({
      status: 503,
      error: {
        code: -32002,
        message: expect.stringMatching(/^1 of the 3 nodes that were asked agree, and 2 must$/),
        data: { asked: 3, answered: 2, agreeing: 1, needed: 2 },
      },
    })
  })

  it('is not wrong, and no answer, where two of three collude and all must agree', async () => {
    const strict = await stage.gateway.project({ ...UNLIMITED, quorum: { agreeing: 3, nodes: 3 } })
    for (const liar of [0, 1]) await stage.upstreams[liar]!.fail({ kind: 'lie', result: LIE }, { methods: ['eth_getBalance'] })
    expect((await callRpc(strict, 'eth_getBalance', somebody, '0x1')).error?.code).toBe(-32002)
    // The limit of two of three.
    expect(await resultOfRpc(always, 'eth_getBalance', `0x${'77'.repeat(20)}`, '0x1')).toBe(LIE)
  })

  it('finds logs, blocks and transactions as any node has them', async () => {
    const hash = await stage.transfer()
    const { hash: block } = await stage.mine()
    await stage.upstreams[2]!.fail({ kind: 'lie', result: [] }, { methods: ['eth_getLogs'] })
    const direct = stage.anvils.nodes[0]!.rpc
    for (const [method, ...params] of [
      ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: stage.token }],
      ['eth_getLogs', { blockHash: block }],
      ['eth_getBlockByHash', block, true],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBlockReceipts', 'latest'],
      ['eth_getTransactionReceipt', hash],
      ['eth_getTransactionByHash', hash],
      ['eth_feeHistory', '0x2', 'latest', [25]],
      ['eth_call', { to: stage.token, data: '0x18160ddd' }, 'latest'],
    ] as const)
      expect(await resultOfRpc(always, method, ...params)).toEqual(await direct.call(method, ...params))
  })

  it('has none where it sends, or is about what is pending: that is sent and answered as ever', async () => {
    const hash = await resultOfRpc(always, 'eth_sendRawTransaction', await stage.sign())
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await resultOfRpc(always, 'eth_getTransactionCount', somebody, 'pending')).toMatch(/^0x/)
    expect(await resultOfRpc(always, 'eth_chainId')).toBe('0x7a69')
    await stage.mine()
  })

  it('costs as many times its compute units, also over a WebSocket', async () => {
    const url = await stage.gateway.project({ ...UNLIMITED, quorum: { ...TWO_OF_THREE, methods: ['eth_getBalance'] } })
    const socket = await SocketCaller.open(url)
    await resultOfRpc(url, 'eth_getBalance', somebody)
    expect(await socket.ask('eth_getBalance', somebody, '0x0')).toMatch(/^0x/)
    await resultOfRpc(url, 'eth_getCode', somebody)
    socket.socket.close()
    const used = await eventually(async () => {
      const usage = await usageOf(url)
      return usage.length === 2 ? usage : undefined
    }, 'it is counted')
    expect(used).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ method: 'eth_getBalance', calls: 2, computeUnits: 2 * 3 * 19 }),
        expect.objectContaining({ method: 'eth_getCode', calls: 1, computeUnits: 19 }),
      ]),
    )
  })
})

describe('a call that asks for a quorum by header', () => {
  it('has it where its project allows it, and none without', async () => {
    const id = stage.upstreams.map((upstream) => upstream.asked('eth_getCode'))
    await stage.mine()
    const count = () => stage.upstreams.reduce((sum, upstream, i) => sum + upstream.asked('eth_getCode') - (id[i] ?? 0), 0)
    expect((await ask(asked, '2/3')).result).toMatch(/^0x/)
    await eventually(async () => count() === 3 || undefined, 'three were asked')
    expect((await ask(asked, undefined)).result).toMatch(/^0x/)
    await delay(50)
    expect(count()).toBe(4)
  })

  it.each(['', 'yes', '2', '1/1', '1/3', '2/4', '3/2', '2/3, 2/3', '2/8'])('is refused where the header is %j', async (header) => {
    expect(await ask(asked, header)).toMatchObject({ status: 400, error: { code: -32600, message: expect.stringContaining('2/3') } })
  })

  it('is refused where its project does not allow it: its owner pays', async () => {
    expect(await ask(plain, '2/3')).toMatchObject({ status: 403, error: { code: -32016 } })
    expect(await ask(always, '3/3')).toMatchObject({ status: 403, error: { code: -32016 } })
    expect(await ask(asked, '3/5')).toMatchObject({ status: 403, error: { code: -32016, message: expect.stringContaining('3 nodes') } })
  })

  it('may come from a page', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'trestle-quorum',
    }
    const preflight = await fetch(asked, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('trestle-quorum')
  })

  it('is not for a WebSocket, which has that of its project', async () => {
    await expect(SocketCaller.open(asked, { 'trestle-quorum': '2/3' })).rejects.toThrow('400')
  })

  const ask = async (url: string, header: string | undefined) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [stage.token, 'latest'] }
    const answer = await post(url, call, header === undefined ? {} : { 'trestle-quorum': header })
    return { status: answer.status, ...((await answer.json()) as { result?: string; error?: object }) }
  }
})

it('what a liar has answered is not believed any more, also by projects without a quorum', async () => {
  const other = `0x${'66'.repeat(20)}`
  const [liar, ...honest] = stage.upstreams
  await liar!.fail({ kind: 'lie', result: LIE }, { methods: ['eth_getBalance'] })
  for (const upstream of honest) await upstream.fail({ kind: 'status', status: 502 }, { methods: ['eth_getBalance'] })
  expect(await resultOfRpc(plain, 'eth_getBalance', other, '0x0')).toBe(LIE)
  for (const upstream of honest) await upstream.heal()
  // It is in the cache, and no answer to who asks several.
  expect(await resultOfRpc(plain, 'eth_getBalance', other, '0x0')).toBe(LIE)
  expect(await resultOfRpc(always, 'eth_getBalance', other, '0x0')).toBe('0x0')
  await eventually(
    async () => (await resultOfRpc(plain, 'eth_getBalance', other, '0x0')) === '0x0' || undefined,
    'the lie is forgotten',
    10_000,
  )
  const outvoted = await metric(stage.gateway.service.internalUrl, 'upstream_outvoted_total')
  expect(outvoted.find(({ labels }) => labels.includes('node-0'))?.value).toBeGreaterThan(0)
  // It is asked for nothing while others can answer.
  liar!.forget()
  for (let block = 0; block < 3; block++) await resultOfRpc(plain, 'eth_getTransactionCount', other, `0x${block}`)
  expect(liar!.asked('eth_getTransactionCount')).toBe(0)
}, 30_000)

function balance(): Promise<string> {
  return stage.anvils.nodes[0]!.rpc.call('eth_getBalance', somebody, 'latest')
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
}

async function usageOf(url: string): Promise<{ method: string; calls: number; computeUnits: number }[]> {
  const path = `/projects/${url.split('/').at(-1)}/usage`
  return (await callManagement(stage.gateway.service, 'GET', path, { token: stage.gateway.token })).body.usage
}

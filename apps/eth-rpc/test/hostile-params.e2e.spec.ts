import { eventually } from '@trestle/testing/eventually'
import { callOf, postCall } from './exchange.js'
import { startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { type SoundnessStage, staysHealthy } from './soundness.js'

const LOG_BLOCKS = 10
const SOMEBODY = `0x${'12'.repeat(20)}`
const NOBODYS_HASH = `0x${'12'.repeat(32)}`
const MAX_CODE = 4_000_000

let stage: SoundnessStage
let url: string
beforeAll(async () => {
  stage = await startFaultyStage({ LOG_BLOCKS: String(LOG_BLOCKS) })
  url = stage.url
  await stage.transfer()
  await stage.mine(LOG_BLOCKS + 5)
  for (const tag of ['safe', 'finalized']) await untilAsNode('eth_getBlockByNumber', tag, false)
})
staysHealthy(() => stage)
afterAll(() => stage.stop())

describe('a block', () => {
  it.each<[unknown]>([
    ...[
      ['0x'],
      ['0x00'],
      ['0x01'],
      ['00'],
      ['1'],
      ['0X1'],
      ['0xg'],
      [' 0x1'],
      ['-0x1'],
      ['0x1.0'],
      [`0x1${'0'.repeat(64)}`],
      ['0xfffffffffffffffff'],
    ],
    ...[
      ['Latest'],
      ['LATEST'],
      ['head'],
      [''],
      [1],
      [1.5],
      [true],
      [[]],
      [['latest']],
      [{}],
      [{ blockNumber: '0x1', blockHash: NOBODYS_HASH }],
    ],
    ...[
      [{ blockHash: '0x12' }],
      [{ blockNumber: 'x' }],
      [{ blockHash: NOBODYS_HASH, requireCanonical: 'yes' }],
      [{ blockNumber: { blockNumber: '0x1' } }],
    ],
  ] as [unknown][])('%j is none', async (block) => {
    for (const reported of [
      await callRpc(url, 'eth_getBalance', SOMEBODY, block),
      await callRpc(url, 'eth_getBlockByNumber', block, false),
    ]) {
      expect(reported).toMatchObject({ status: 200, error: { code: -32602 } })
    }
  })

  it.each<[unknown]>([
    ...[['latest'], ['safe'], ['finalized'], ['earliest'], ['0x0'], ['0xff'], [{ blockNumber: '0x1' }], [{ blockHash: NOBODYS_HASH }]],
    [{ blockHash: NOBODYS_HASH, requireCanonical: true }],
  ] as [unknown][])('%j is what a node says it is', async (block) => {
    await asNode('eth_getBalance', stage.token, block)
    await asNode('eth_call', { to: stage.token, data: '0x18160ddd' }, block)
  })

  it('by its hash is the same with and without requireCanonical', async () => {
    const { hash } = await resultOfRpc<{ hash: string }>(url, 'eth_getBlockByNumber', 'latest', false)
    for (const requireCanonical of [undefined, false, true])
      await asNode('eth_getBalance', stage.token, { blockHash: hash, requireCanonical })
    await asNode('eth_getBalance', stage.token, hash.toUpperCase().replace('0X', '0x'))
  })

  it('that is pending is current', async () => {
    const { number } = await resultOfRpc<{ number: string }>(url, 'eth_getBlockByNumber', 'pending', false)
    expect(Number(number)).toBe(Number(await resultOfRpc(url, 'eth_blockNumber')) + 1)
  })
})

describe('invalid params get the same error as from a node', () => {
  it.each<[string, unknown[]]>([
    ['eth_getBalance', []],
    ['eth_getBalance', ['0x12', 'latest']],
    ['eth_getBalance', [SOMEBODY.slice(2), 'latest']],
    ['eth_getBalance', [`${SOMEBODY}\u0000`, 'latest']],
    ['eth_getBalance', [null, 'latest']],
    ['eth_getBalance', [{ toString: 1 }, 'latest']],
    ['eth_getStorageAt', [SOMEBODY, '0x', 'latest']],
    ['eth_getTransactionByHash', ['0x12']],
    ['eth_getTransactionByHash', [1]],
    ['eth_getBlockByNumber', ['latest', 'yes']],
    ['eth_call', [{ to: SOMEBODY, data: '0x1' }, 'latest']],
    ['eth_call', [{ to: SOMEBODY, data: '0xzz' }, 'latest']],
    ['eth_call', [{ to: SOMEBODY, data: '0x', input: '0x00' }, 'latest']],
    ['eth_call', [{ to: SOMEBODY, gas: `0x1${'0'.repeat(64)}` }, 'latest']],
    ['eth_call', [{ to: SOMEBODY, value: '0x00' }, 'latest']],
    ['eth_call', [{ __proto__: null, constructor: { prototype: 1 } }, 'latest']],
    ['eth_call', [[], 'latest']],
    ['eth_feeHistory', ['0x0', 'latest', []]],
    ['eth_feeHistory', ['0x1', 'latest', [200, 'x']]],
    ['eth_getProof', [SOMEBODY, 'x', 'latest']],
    ['eth_sendRawTransaction', []],
    ['eth_sendRawTransaction', [1]],
    ['eth_sendRawTransaction', ['0x']],
    ['eth_sendRawTransaction', ['0x1']],
    ['eth_sendRawTransaction', ['02f8']],
    ['eth_sendRawTransaction', ['0x02f8']],
    ['eth_sendRawTransaction', [`0x${'00'.repeat(200_000)}`]],
    ['eth_sendRawTransaction', [{ raw: '0x02' }]],
  ])('%s %.60j', async (method, params) => {
    await asNode(method, ...params)
  })

  it.each(['0x1', '0xzz', '0X12', '12', '0x 1', 1, null, {}, [], `0x${'00'.repeat(65_537)}`])(
    'web3_sha3 of %.40j, answered here',
    async (data) => {
      expect(await callRpc(url, 'web3_sha3', data)).toMatchObject({ status: 200, error: { code: -32602 } })
    },
  )

  it.each(['params', {}, 1, true])('as a whole: %j', async (params) => {
    expect(JSON.parse((await postCall(url, callOf('eth_getBalance', params))).text)).toMatchObject({ id: 1, error: { code: -32602 } })
  })
})

describe('a search for logs', () => {
  it.each<[string, unknown]>([
    ['with too many addresses', { address: Array(10_000).fill(SOMEBODY) }],
    ['with five topics', { topics: [null, null, null, null, null] }],
    ['with too many alternatives', { topics: [Array(10_000).fill(NOBODYS_HASH)] }],
    ['by hash and by number', { blockHash: NOBODYS_HASH, fromBlock: '0x1' }],
    ['by a hash that is none', { blockHash: '0x12' }],
    ['of no filter', null],
    ['of a list', []],
    ['of an address that is none', { address: '0x12' }],
    ['of a topic that is none', { topics: ['0x12'] }],
  ])('%s is refused, and so is a filter of it', async (_, filter) => {
    expect(await callRpc(url, 'eth_getLogs', filter)).toMatchObject({ status: 200, error: { code: -32602 } })
    expect(await callRpc(url, 'eth_newFilter', filter)).toMatchObject({ status: 200, error: { code: -32602 } })
  })

  it('from after to is refused, and so is a filter of it: in the words of geth', async () => {
    const refused = { status: 200, error: { code: -32000, message: 'invalid block range params' } }
    for (const method of ['eth_getLogs', 'eth_newFilter'])
      expect(await callRpc(url, method, { fromBlock: '0x5', toBlock: '0x1' })).toMatchObject(refused)
  })

  it('over too many blocks is refused', async () => {
    expect(await callRpc(url, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toMatchObject({
      status: 200,
      error: { code: -32602 },
    })
  })

  it.each<[string, () => object]>([
    ['with topics of any kind', () => ({ fromBlock: '0x1', toBlock: '0x5', topics: [null, [], null] })],
    ['with members that are null', () => ({ fromBlock: '0x1', toBlock: '0x5', address: null, topics: null })],
  ])('%s is answered', async (_, filter) => {
    await asNode('eth_getLogs', filter())
  })

  it('beyond the newest block is refused as execution-apis has it, not cut', async () => {
    expect(await callRpc(stage.url, 'eth_getLogs', { fromBlock: '0xa', toBlock: '0xfff' })).toEqual({
      status: 200,
      error: { code: -32_602, message: 'block range extends beyond current head block' },
    })
  })
})

describe('a call that is expensive for a node', () => {
  // A node without a limit of gas would go on for ever: that is set at the node.
  it.each<[string, string]>([
    ['loops without end', '0x5b600056'],
    ['returns a gigabyte', '0x633fffffff6000f3'],
  ])('and %s fails while others are answered', async (_, code) => {
    const costly = callRpc(url, 'eth_call', { to: SOMEBODY, gas: '0x1c9c380' }, 'latest', { [SOMEBODY]: { code } })
    expect(await resultOfRpc(url, 'eth_getBalance', SOMEBODY, 'latest')).toBe('0x0')
    const { status, error } = await costly
    expect(error?.code).toBeDefined()
    expect([200, 503, 504]).toContain(status)
  })

  it('with megabytes of state overrides is answered as by a node', async () => {
    await asNode('eth_call', { to: SOMEBODY }, 'latest', { [SOMEBODY]: { code: `0x${'00'.repeat(MAX_CODE / 2)}` } })
  })
})

/** What is final is read after the head. */
async function untilAsNode(method: string, ...params: unknown[]): Promise<void> {
  await eventually(
    () =>
      asNode(method, ...params).then(
        () => true,
        () => undefined,
      ),
    `${method} is answered as by a node`,
  )
}

/** What a node says, and with 200: it is an answer. */
async function asNode(method: string, ...params: unknown[]): Promise<void> {
  const [here, there] = await Promise.all([callRpc(stage.anvils.nodes[0]!.url, method, ...params), callRpc(url, method, ...params)])
  expect(there).toEqual({ ...here, status: 200 })
}

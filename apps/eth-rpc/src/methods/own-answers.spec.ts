import { smallBlock } from '../../test/small-chain.js'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { methodNamed, RPC_METHODS } from './method.js'
import { answerOf, type OwnState } from './own-answers.js'

const OWN = RPC_METHODS.filter(({ answeredBy }) => answeredBy === 'gateway')

describe(answerOf, () => {
  it.each([
    ['eth_chainId', '0x3d'],
    ['net_version', '1'],
    ['eth_blockNumber', '0x10'],
    ['net_listening', true],
    ['net_peerCount', '0x3'],
    ['web3_clientVersion', 'gateway/v1'],
    ['web_clientVersion', 'gateway/v1'],
    ['eth_accounts', []],
    ['eth_syncing', false],
    ['eth_protocolVersion', '0x44'],
    ['rpc.discover', { openrpc: '1.3.2' }],
  ])('answers %s with %j', (name, result) => {
    expect(answer(name)).toEqual(result)
  })

  it.each(OWN.filter(({ name }) => name !== 'web3_sha3'))('refuses params of $name', ({ name }) => {
    expect(() => answer(name, ['latest'])).toThrow(RpcFailure)
    expect(() => answer(name, [null])).toThrow('too many arguments, want at most 0')
  })

  it('hashes as the EVM does', () => {
    expect(answer('web3_sha3', ['0x'])).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
    // EIP-1474's example.
    expect(answer('web3_sha3', ['0x68656c6c6f20776f726c64'])).toBe('0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad')
    expect(answer('web_sha3', [`0x${'Ab'.repeat(65_536)}`])).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it.each([[[]], [['0x1']], [['0xzz']], [['0X00']], [['00']], [[1]], [[null]], [['0x00', '0x00']], [[`0x${'00'.repeat(65_537)}`]]])(
    'refuses to hash %j',
    (params) => {
      expect(codeOf(() => answer('web3_sha3', params))).toBe(RPC_CODE.invalidParams)
    },
  )

  it('answers that it is unavailable until it knows a block', () => {
    expect(codeOf(() => answer('eth_blockNumber', [], { chain: { head: undefined } }))).toBe(RPC_CODE.unavailable)
  })

  it('answers every method that is answered here', () => {
    for (const method of OWN) expect(answerOf(method, method.name === 'web3_sha3' ? ['0x'] : [], state()).member).toBe('result')
    expect(() => answer('eth_call', [])).toThrow('eth_call is not answered here.')
  })
})

function answer(name: string, params: readonly unknown[] = [], overrides: Partial<OwnState> = {}): unknown {
  return JSON.parse(answerOf(methodNamed(name)!, params, state(overrides)).json.toString())
}

function codeOf(act: () => unknown): number | undefined {
  try {
    act()
  } catch (error) {
    return error instanceof RpcFailure ? error.error.code : undefined
  }
  return undefined
}

function state(overrides: Partial<OwnState> = {}): OwnState {
  return {
    chain: { head: smallBlock(16) },
    chainId: 61,
    networkId: 1,
    version: 'gateway/v1',
    openRpc: { openrpc: '1.3.2' },
    peers: 3,
    syncing: () => false,
    ...overrides,
  }
}

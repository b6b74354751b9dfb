import fc from 'fast-check'
import { reorg, shortChain, smallHash } from '../../test/small-chain.js'
import { RpcFailure } from '../framing/rpc-error.js'
import { FollowedChain } from '../heads/followed-chain.js'
import { methodNamed, RPC_METHODS } from '../methods/method.js'
import { resolveCall } from './resolved-call.js'

const ADDRESS = `0x${'ab'.repeat(20)}`

describe(resolveCall, () => {
  it.each([
    ['latest', 20],
    ['safe', 15],
    ['finalized', 10],
    ['earliest', 0],
  ])('replaces %s with its current number', (tag, number) => {
    expect(asked('eth_getBalance', [ADDRESS, tag])).toMatchObject({
      paramsJson: `["${ADDRESS}","0x${number.toString(16)}"]`,
      block: { number },
      cacheable: true,
    })
  })

  it('asks about the latest block where none is named', () => {
    expect(asked('eth_call', [{ to: ADDRESS }]).paramsJson).toBe(`[{"to":"${ADDRESS}"},"0x14"]`)
    expect(asked('eth_call', [{ to: ADDRESS }, null]).key).toBe(asked('eth_call', [{ to: ADDRESS }, 'latest']).key)
  })

  it('resolves both ends of a search for logs', () => {
    expect(asked('eth_getLogs', [{ toBlock: 'finalized', fromBlock: 'earliest' }]).paramsJson).toBe('[{"fromBlock":"0x0","toBlock":"0xa"}]')
    // Not an inverted range: another replica may have that block already.
    expect(asked('eth_getLogs', [{ fromBlock: '0x15' }]).paramsJson).toBe('[{"fromBlock":"0x15","toBlock":"0x15"}]')
    expect(asked('eth_getLogs', [{ address: ADDRESS }]).paramsJson).toBe(`[{"address":"${ADDRESS}","fromBlock":"0x14","toBlock":"0x14"}]`)
  })

  it.each([
    ['eth_getBalance', [ADDRESS, 'pending']],
    ['eth_getLogs', [{ fromBlock: 'pending', toBlock: '0x5' }]],
    ['eth_getLogs', [{ fromBlock: '0x5', toBlock: 'pending' }]],
  ])('leaves pending blocks to the node: %s %j', (name, params) => {
    const question = asked(name, params)
    expect(question).toMatchObject({ cacheable: false, block: { tag: 'pending' }, params })
  })

  it('leaves tags that cannot be resolved here to the node', () => {
    const empty = new FollowedChain()
    expect(asked('eth_getBalance', [ADDRESS, 'latest'], empty)).toMatchObject({ cacheable: false, block: { tag: 'latest' } })
    expect(asked('eth_getBalance', [ADDRESS, 'finalized'], shortChain(20)).paramsJson).toBe(`["${ADDRESS}","finalized"]`)
    expect(asked('eth_gasPrice', [], empty).cacheable).toBe(false)
  })

  it('puts the hash of a block into its key only while the block may be disconnected', () => {
    const chain = chain20()
    const open = asked('eth_getBalance', [ADDRESS, '0xb'], chain)
    const final = asked('eth_getBalance', [ADDRESS, '0xa'], chain)
    expect(open.key).toContain(smallHash(11))
    expect(final.key).not.toContain(smallHash(10))
    reorg(chain, 10, 7)
    expect(asked('eth_getBalance', [ADDRESS, '0xb'], chain).key).toContain(smallHash(11, 7))
    expect(asked('eth_getBalance', [ADDRESS, '0xa'], chain).key).toBe(final.key)
  })

  it('puts the hash of the head into the key of what depends on it', () => {
    expect(asked('eth_gasPrice', []).key).toContain(smallHash(20))
  })

  it('keeps an answer about the latest block apart from one about the same block once final', () => {
    const chain = chain20()
    const latest = asked('eth_getBlockByNumber', ['latest', false], chain)
    chain.finalize({ finalized: 20 })
    expect(asked('eth_getBlockByNumber', ['0x14', false], chain).key).not.toBe(latest.key)
  })

  it.each([
    ['of the future', 'eth_getBalance', [ADDRESS, '0x15']],
    ['whose hash nobody knows, and whose answer does not tell', 'eth_getBalance', [ADDRESS, smallHash(99)]],
    ['nobody named', 'eth_getBlockByNumber', []],
  ])('does not cache answers about a block %s', (_why, name, params) => {
    expect(asked(name, params).cacheable).toBe(false)
  })

  it.each(['eth_sendRawTransaction', 'eth_newFilter', 'eth_getFilterChanges', 'eth_subscribe'])('does not share %s', (name) => {
    expect(asked(name, ['0xAB'])).toMatchObject({ key: '', cacheable: false, paramsJson: '["0xAB"]' })
  })

  it('has a short and distinct key for long params', () => {
    const long = (last: string) => asked('eth_call', [{ data: `0x${'00'.repeat(5000)}${last}` }, '0x1']).key
    expect(long('01').length).toBeLessThan(64)
    expect(long('01')).not.toBe(long('02'))
  })

  it('has different keys for methods with the same params', () => {
    expect(asked('eth_getCode', [ADDRESS, '0x1']).key).not.toBe(asked('eth_getBalance', [ADDRESS, '0x1']).key)
  })

  it('has equal keys only for equal calls', () => {
    const chain = chain20()
    const method = fc.constantFrom(...RPC_METHODS.filter(({ idempotent }) => idempotent))
    const block = fc.constantFrom('latest', 'finalized', '0x14', '0xa', '0x15', 'pending', smallHash(20), null)
    const long = fc.constantFrom('00', '01').map((last) => `0x${'ab'.repeat(200)}${last}`)
    const param = fc.oneof(
      block,
      long,
      fc.constantFrom(ADDRESS, `0x${'AB'.repeat(20)}`, { to: ADDRESS }, { toBlock: '0x14' }),
      fc.jsonValue(),
    )
    const call = fc.record({ method, params: fc.array(param, { maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
        const seen = new Map<string, unknown>()
        for (const question of calls.map((one) => questionOrNone(one, chain))) {
          if (!question) continue
          const { key, method, paramsJson, at } = question
          const meant = [method.name, paramsJson, at?.hash]
          expect(seen.get(key) ?? meant).toEqual(meant)
          seen.set(key, meant)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

function asked(name: string, params: readonly unknown[], chain = chain20()) {
  return resolveCall({ method: methodNamed(name)!, params }, chain)
}

/** None for params that are refused. */
function questionOrNone(call: Parameters<typeof resolveCall>[0], chain: ReturnType<typeof chain20>) {
  try {
    return resolveCall(call, chain)
  } catch (error) {
    if (error instanceof RpcFailure) return undefined
    throw error
  }
}

function chain20() {
  return shortChain(20, { safe: 15, finalized: 10 })
}

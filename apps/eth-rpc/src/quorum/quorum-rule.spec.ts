import { METHOD_TABLE } from '../methods/method-table.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { QUORUM_METHOD_NAMES } from './quorum-methods.js'
import { type QuorumRule, quorumByHeader, quorumOfCall } from './quorum-rule.js'

const RULE: QuorumRule = { agreeing: 2, nodes: 3, methods: new Set(['eth_call', 'eth_getLogs', 'eth_getBalance']), byHeader: true }
const FORBIDDEN = expect.objectContaining({ status: 403, error: expect.objectContaining({ code: -32016 }) })
const MALFORMED = expect.objectContaining({ status: 400, error: expect.objectContaining({ code: -32600 }) })

describe('methods that can have a quorum', () => {
  it.each([...QUORUM_METHOD_NAMES])('%s is asked of a node, and may be asked of several', (name) => {
    const policy = METHOD_TABLE.find((each) => each.name === name)
    expect(policy).toMatchObject({ answeredBy: 'upstream', idempotent: true })
    // About a block that is named, or found by what is in it: nodes are comparable.
    expect(['block', 'immutable', 'transaction']).toContain(policy?.cache)
  })

  it.each([
    ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_newFilter', 'eth_getFilterLogs', 'eth_subscribe'],
    ...['eth_blockNumber', 'eth_chainId', 'eth_gasPrice', 'eth_estimateGas', 'eth_fillTransaction', 'eth_getProof'],
  ])('are not: %s', (name) => {
    expect(QUORUM_METHOD_NAMES.has(name)).toBe(false)
  })
})

describe(quorumOfCall, () => {
  it.each([
    ['eth_call', [{}, 'latest']],
    ['eth_call', [{}]],
    ['eth_getBalance', ['0x', { blockHash: '0x1' }]],
    ['eth_getLogs', [{ fromBlock: '0x1' }]],
    ['eth_getLogs', []],
  ])('has that of the rule: %s %j', (name, params) => {
    expect(quorumOfCall(RULE, knownMethod(name), params)).toMatchObject({ agreeing: 2, nodes: 3 })
  })

  it.each([
    ['eth_getCode', ['0x', 'latest']],
    ['eth_call', [{}, 'pending']],
    ['eth_getBalance', ['0x', { blockNumber: 'pending' }]],
    ['eth_getLogs', [{ fromBlock: 'latest', toBlock: 'pending' }]],
  ])('has none where the method is not listed, or the block is pending: %s %j', (name, params) => {
    expect(quorumOfCall(RULE, knownMethod(name), params)).toBeUndefined()
  })
})

describe(quorumByHeader, () => {
  it.each([
    ['2/2', 2, 2],
    ['2/3', 2, 3],
    ['3/3', 3, 3],
  ])('takes %s for every method that can have one', (header, agreeing, nodes) => {
    expect(quorumByHeader(header, RULE)).toMatchObject({ agreeing, nodes, methods: QUORUM_METHOD_NAMES })
  })

  it.each([
    '',
    '2',
    '2/',
    '/3',
    '2/3 ',
    ' 2/3',
    '2/3, 2/3',
    '02/3',
    '2/03',
    '+2/3',
    '2-3',
    '2\\3',
    '1/1',
    '1/2',
    '2/4',
    '3/2',
    '7/8',
    '0/0',
    'x',
  ])('refuses %j', (header) => {
    expect(() => quorumByHeader(header, RULE)).toThrow(MALFORMED)
    expect(() => quorumByHeader(header, undefined)).toThrow(MALFORMED)
  })

  it('refuses what the project does not allow: its owner pays for it', () => {
    expect(() => quorumByHeader('2/3', undefined)).toThrow(FORBIDDEN)
    expect(() => quorumByHeader('2/3', { ...RULE, byHeader: false })).toThrow(FORBIDDEN)
    expect(() => quorumByHeader('3/4', RULE)).toThrow(FORBIDDEN)
  })
})

import { METHOD_NAMESPACES } from '@trestle/contracts/eth-rpc/projects'
import { UsageMeter } from '@trestle/usage/usage-meter'
import fc from 'fast-check'
import { methodNamed } from '../methods/method.js'
import { grantedMethod } from '../methods/namespace-method.js'
import { PROJECT_USAGE } from '../usage/project-usage.js'
import { checkCall } from './access.js'
import { compiled } from './live-project.js'
import type { ProjectSettings } from './project.js'

const MINE = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const OTHER = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
const FORBIDDEN = expect.objectContaining({ status: 403, error: expect.objectContaining({ code: -32016 }) })

describe('the methods of a project', () => {
  it.each([
    [['eth_call'], ['eth_call'], ['eth_getCode', 'web3_sha3']],
    [
      ['eth_get*', 'web_*'],
      ['eth_getCode', 'web3_sha3'],
      ['eth_call', 'net_version'],
    ],
    [['web_clientVersion'], ['web3_clientVersion'], ['web3_sha3']],
  ])('that are %j', (allowedMethods, inside, outside) => {
    const project = live({ allowedMethods })
    for (const name of inside) expect(() => call(project, name, [])).not.toThrow()
    for (const name of outside) expect(() => call(project, name, [])).toThrow(FORBIDDEN)
  })
})

describe('the contracts of a project', () => {
  const project = live({ allowedContracts: [MINE] })
  const mixedCase = MINE.replace('5fbdb', '5FbDB')

  it.each([
    ['eth_call', [{ to: MINE }]],
    ['eth_call', [{ to: mixedCase }, 'latest']],
    ['eth_estimateGas', [{ from: OTHER, to: MINE }]],
    ['eth_getLogs', [{ address: MINE }]],
    ['eth_getLogs', [{ address: [MINE, mixedCase] }]],
    ['eth_newFilter', [{ address: MINE }]],
    ['eth_subscribe', ['logs', { address: MINE }]],
    ['eth_subscribe', ['newHeads']],
    ['eth_getBalance', [MINE, 'latest']],
    ['eth_getCode', [MINE]],
    ['eth_getStorageAt', [MINE, '0x0']],
    ['eth_getProof', [MINE, []]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{ to: MINE }] }, {}] }]],
    ['eth_blockNumber', []],
    ['eth_getTransactionCount', [OTHER, 'latest']],
    ['eth_sendRawTransaction', ['0x00']],
    ['eth_call', [{ to: MINE }, 'latest', null]],
    ['eth_call', [{ to: MINE }, 'latest', { [OTHER]: { balance: '0x1', nonce: '0x2' } }]],
    ['eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { number: '0x1' }, stateOverrides: { [OTHER]: { balance: '0x1' } } }] }]],
  ])('may be asked about: %s %j', (method, params) => {
    expect(() => call(project, method, params)).not.toThrow()
  })

  it.each([
    ['eth_call', [{ to: OTHER }]],
    ['eth_call', [{ data: '0x' }]],
    ['eth_call', []],
    ['eth_call', [null]],
    ['eth_call', [{ to: [MINE] }]],
    ['eth_estimateGas', [{ to: OTHER }]],
    ['eth_createAccessList', [{ to: OTHER }]],
    ['eth_getLogs', [{}]],
    ['eth_getLogs', [{ address: [] }]],
    ['eth_getLogs', [{ address: null }]],
    ['eth_getLogs', [{ address: [MINE, OTHER] }]],
    ['eth_newFilter', [{ address: OTHER }]],
    ['eth_subscribe', ['logs']],
    ['eth_subscribe', ['logs', { address: OTHER }]],
    ['eth_getBalance', [OTHER]],
    ['eth_getBalance', []],
    ['eth_getCode', [`${MINE} `]],
    ['eth_getStorageAt', [OTHER, '0x0']],
    ['eth_getProof', [OTHER, []]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{ to: MINE }, { to: OTHER }] }] }]],
    ['eth_simulateV1', [{ blockStateCalls: 'x' }]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{}] }] }]],
    ['eth_simulateV1', []],
    // A node in Go takes the last of names that differ in case only.
    ['eth_call', [{ to: MINE, To: OTHER }]],
    ['eth_getLogs', [{ address: MINE, addreſs: OTHER }]],
    ['eth_simulateV1', [{ blockStateCalls: [{ Calls: [{ to: OTHER }] }] }]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{ to: MINE }] }], BLOCKſTATECALLS: [{ calls: [{ to: OTHER }] }] }]],
  ])('are all that may be asked about: %s %j', (method, params) => {
    expect(() => call(project, method, params)).toThrow(FORBIDDEN)
  })
})

describe('the state overrides of a project that lists contracts', () => {
  const project = live({ allowedContracts: [MINE] })
  const overriding = (method: string, overrides: unknown, name = 'stateOverrides'): readonly unknown[] =>
    method === 'eth_simulateV1'
      ? [{ blockStateCalls: [{}, { calls: [{ to: MINE }], [name]: overrides }] }]
      : [{ to: MINE }, 'latest', overrides]
  const METHODS = ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1']
  const CODE = ['code', 'Code', 'movePrecompileToAddress', 'movePrecompileTo', 'state', 'stateDiff', 'ſtateDiff']

  it.each(METHODS)('cannot replace what an allowed contract does: %s', (name) => {
    for (const member of CODE) {
      const params = overriding(name, { [MINE]: { balance: '0x1', [member]: '0x60' } })
      expect(() => call(project, name, params)).toThrow(FORBIDDEN)
      expect(() => call(live(), name, params)).not.toThrow()
    }
  })

  it('cannot in any other spelling of the parameter', () => {
    const code = { [MINE]: { code: '0x60' } }
    expect(() => call(project, 'eth_simulateV1', overriding('eth_simulateV1', code, 'StateOverrides'))).toThrow(FORBIDDEN)
    expect(() => call(project, 'eth_call', overriding('eth_call', [code]))).toThrow(FORBIDDEN)
  })

  it('are accepted only if they consist of balances and nonces', () => {
    const value = fc.oneof(fc.constant('0x1'), fc.constant({ code: '0x60' }), fc.jsonValue())
    const member = fc.oneof(fc.constantFrom('balance', 'nonce', ...CODE), fc.string())
    const account = fc.oneof(fc.dictionary(member, value), fc.jsonValue())
    const overrides = fc.oneof(fc.dictionary(fc.constantFrom(MINE, OTHER), account), fc.jsonValue())
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), overrides, (name, given) => {
        const params = overriding(name, given)
        if (isHarmless(given)) expect(() => call(project, name, params)).not.toThrow()
        else expect(() => call(project, name, params)).toThrow(FORBIDDEN)
      }),
    )
  })

  /** Said by the text: after leaving out all balances and nonces nothing is left of any account. */
  function isHarmless(overrides: unknown): boolean {
    if (overrides === null) return true
    if (typeof overrides !== 'object' || Array.isArray(overrides)) return false
    const rest = Object.values(overrides ?? {}).map((account) =>
      JSON.stringify(account, (key, value) => (['balance', 'nonce'].includes(key) ? undefined : value)),
    )
    return rest.every((text) => text === '{}')
  }
})

describe('a granted method', () => {
  const debug = ['debug_traceTransaction', [`0x${'1'.repeat(64)}`, { tracer: 'callTracer' }]] as const

  it('is called with a tracer of the node', () => {
    expect(() => call(live(), ...debug)).not.toThrow()
    const program = [debug[1][0], { tracer: '{}' }]
    expect(() => call(live(), 'debug_traceTransaction', program)).toThrow("a tracer is one of the node's own")
  })

  it('is not for a project that lists contracts, or other methods', () => {
    expect(() => call(live({ allowedContracts: [`0x${'1'.repeat(40)}`] }), ...debug)).toThrow('lists contracts')
    expect(() => call(live({ allowedMethods: ['eth_*'] }), ...debug)).toThrow('does not allow debug_traceTransaction')
    expect(() => call(live({ allowedMethods: ['eth_*', 'debug_trace*'] }), ...debug)).not.toThrow()
  })
})

function call(project: ReturnType<typeof live>, name: string, params: readonly unknown[]): void {
  const method = methodNamed(name) ?? grantedMethod(name, new Set(METHOD_NAMESPACES))
  if (!method) throw new Error(`no method ${name}`)
  checkCall(project, method, params)
}

function live(settings: Partial<ProjectSettings> = {}) {
  const lists = { allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [], namespaces: [] }
  const kept = {
    serial: 1,
    id: 'a'.repeat(32),
    organizationId: 'org-1',
    ownerId: 'user-1',
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }
  const usual = { name: 'mine', ...lists, requireToken: false, failureSamples: true, limits: { perSecond: 1, perDay: 1 } }
  const project = { ...kept, ...usual, ...settings }
  return compiled(project, false, { meter: new UsageMeter(PROJECT_USAGE.table.none, () => {}) })
}

import { METHOD_NAMESPACES } from '@trestle/contracts/eth-rpc/projects'
import { methodNamed, RPC_METHODS } from './method.js'
import { grantedMethod, NAMESPACE_METHOD_NAMES, refusedMethod } from './namespace-method.js'
import { NAMESPACE_TABLE } from './namespace-table.js'

const ALL = new Set<string>(METHOD_NAMESPACES)

describe(grantedMethod, () => {
  it.each(NAMESPACE_TABLE.map(({ name, namespace }) => [name, namespace] as const))(
    'serves %s to who was granted %s',
    (name, namespace) => {
      expect(grantedMethod(name, new Set([namespace]))?.name).toBe(name)
      const others = new Set<string>(METHOD_NAMESPACES.filter((each) => each !== namespace))
      expect(grantedMethod(name, others)).toBeUndefined()
      expect(methodNamed(name)).toBeUndefined()
      expect(name.startsWith(`${namespace}_`)).toBe(true)
    },
  )

  it.each([
    ...['debug_setHead', 'debug_chaindbCompact', 'debug_freezeClient', 'debug_writeMemProfile', 'debug_startGoTrace', 'debug_stacks'],
    ...['debug_standardTraceBlockToFile', 'debug_traceBlockFromFile', 'debug_dumpBlock', 'debug_dbGet', 'debug_setTrieFlushInterval'],
    ...['admin_peers', 'personal_sign', 'miner_start', 'engine_newPayloadV4', 'eth_sendTransaction', 'constructor', '__proto__'],
  ])('serves %s to nobody', (name) => {
    expect(grantedMethod(name, ALL)).toBeUndefined()
  })

  it('has each method once, with an index of its own', () => {
    expect(NAMESPACE_METHOD_NAMES).toHaveLength(NAMESPACE_TABLE.length)
    const indexes = NAMESPACE_METHOD_NAMES.map((name) => grantedMethod(name, ALL)?.index)
    expect(indexes).toEqual(NAMESPACE_TABLE.map((_, i) => RPC_METHODS.length + i))
  })
})

describe(refusedMethod, () => {
  it.each([
    ['debug_traceTransaction', 'administrators of this platform can grant its owner the namespace debug'],
    ['trace_block', 'the namespace trace'],
    ['debug_setHead', 'is not available: it is for the operator of a node alone'],
    ['admin_peers', 'is not available: it is for the operator of a node alone'],
    ['eth_sendTransaction', 'send it with eth_sendRawTransaction'],
    ['personal_sign', 'no node has keys of callers'],
    ['eth_nonsense', 'the method eth_nonsense does not exist/is not available'],
    ['constructor', 'the method constructor does not exist/is not available'],
    ['debug_', 'the method debug_ does not exist/is not available'],
  ])('says of %s: %s', (name, words) => {
    const { code, message } = refusedMethod(name)
    expect(code).toBe(-32601)
    expect(message).toContain(words)
  })

  it('repeats no name of any length', () => {
    expect(refusedMethod(`debug_${'x'.repeat(100_000)}`).message.length).toBeLessThan(200)
  })
})

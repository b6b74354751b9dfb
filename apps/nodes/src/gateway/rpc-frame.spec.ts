import fc from 'fast-check'
import {
  allowedPart,
  checkFrame,
  errorStatus,
  errorText,
  isRefused,
  joinedAnswers,
  type NodeCallEntry,
  type NodeCallPolicy,
} from './rpc-frame.js'
import { methodKindOf } from './rpc-methods.js'

const EVM: NodeCallPolicy = { family: 'evm', network: 'mainnet' }
const BITCOIN: NodeCallPolicy = { family: 'bitcoin', network: 'mainnet' }
const ALLOWED = { evm: 'eth_call', bitcoin: 'getblock' }

// Wallets, keys, control, and what waits.
const NEVER = `
  stop addnode setban clearbanned disconnectnode onetry invalidateblock reconsiderblock preciousblock pruneblockchain loadtxoutset
  dumptxoutset savemempool importmempool setnetworkactive logging ping submitblock submitheader getblocktemplate prioritisetransaction
  waitfornewblock waitforblock waitforblockheight getblockfrompeer signrawtransactionwithkey signmessagewithprivkey descriptorprocesspsbt
  createwallet loadwallet unloadwallet listwallets getnewaddress getbalance sendtoaddress sendmany send sendall dumpprivkey dumpwallet
  importprivkey importwallet importdescriptors listdescriptors walletpassphrase encryptwallet backupwallet signrawtransactionwithwallet
  walletprocesspsbt bumpfee generate generatetodescriptor setmocktime echo
  admin_addPeer admin_peers debug_setHead debug_traceTransaction debug_traceCall personal_sign personal_unlockAccount miner_start
  engine_newPayloadV4 txpool_content trace_block eth_sign eth_signTransaction eth_sendTransaction eth_accounts eth_subscribe eth_submitWork
  eth_getWork evm_snapshot evm_revert evm_setAutomine anvil_impersonateAccount hardhat_setCode rpc_modules`

describe(methodKindOf, () => {
  it.each([
    ['bitcoin', 'mainnet', 'getblock', 'read'],
    ['bitcoin', 'mainnet', 'sendrawtransaction', 'send'],
    ['bitcoin', 'regtest', 'generatetoaddress', 'make'],
    ['bitcoin', 'testnet4', 'generatetoaddress', undefined],
    ['bitcoin', 'mainnet', 'generateblock', undefined],
    ['evm', 'dev', 'evm_mine', 'make'],
    ['evm', 'mainnet', 'evm_mine', undefined],
    ['evm', 'dev', 'anvil_setBalance', undefined],
    ['evm', 'mainnet', 'eth_newFilter', 'filter-new'],
    ['evm', 'mainnet', 'getblock', undefined],
    ['evm', 'mainnet', 'constructor', undefined],
  ] as const)('%s on %s: %s is %s', (family, network, method, kind) => {
    expect(methodKindOf(method, { family, network })).toBe(kind)
  })

  it('makes no blocks with geth, which makes them itself', () => {
    expect(methodKindOf('evm_mine', { family: 'evm', network: 'dev', daemon: 'anvil' })).toBe('make')
    expect(methodKindOf('evm_mine', { family: 'evm', network: 'dev', daemon: 'geth' })).toBeUndefined()
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"evm_mine"}')
    const message = 'Method not found: geth makes a block every two seconds'
    expect(checkFrame(body, { family: 'evm', network: 'dev', daemon: 'geth' })).toMatchObject({
      entries: [{ error: { code: -32601, message } }],
    })
  })

  it.each([
    ['bitcoin', 'regtest', 'generatetoaddress getblock'],
    ['evm', 'dev', 'evm_mine eth_call'],
  ] as const)('makes no blocks of %s on %s for whoever comes', (family, network, methods) => {
    expect(methods.split(' ').map((method) => methodKindOf(method, { family, network, isOpen: true }))).toEqual([undefined, 'read'])
  })

  it.each(NEVER.trim().split(/\s+/))('lets no call to %s through, on whichever chain', (method) => {
    for (const network of ['mainnet', 'regtest', 'dev']) {
      expect(methodKindOf(method, { family: 'bitcoin', network })).toBeUndefined()
      expect(methodKindOf(method, { family: 'evm', network })).toBeUndefined()
    }
  })
})

describe(checkFrame, () => {
  it('lets through what it is given by its name alone, each of a batch', () => {
    fc.assert(
      fc.property(fc.constantFrom(EVM, BITCOIN), fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }), (policy, allowed) => {
        const body = allowed.map((each, id) => ({ jsonrpc: '2.0', id, method: each ? ALLOWED[policy.family] : 'stop', params: [] }))
        const frame = checkFrame(Buffer.from(JSON.stringify(body)), policy)
        expect('entries' in frame && frame.entries.map((entry) => !isRefused(entry))).toEqual(allowed)
      }),
    )
  })

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof checkFrame(Buffer.from(bytes), EVM) === 'object'))
    fc.assert(fc.property(fc.json(), (text) => typeof checkFrame(Buffer.from(text), BITCOIN) === 'object'))
  })

  it('refuses a member that another parser could take for one of a call', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        fc.pre(!['jsonrpc', 'id', 'method', 'params', '__proto__'].includes(name) && !name.includes('\0') && name.isWellFormed())
        const frame = checkFrame(Buffer.from(`{"method":"eth_call",${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}}`), EVM)
        expect('code' in frame || frame.entries.every(isRefused)).toBe(true)
      }),
    )
  })

  it('keeps what is no UTF-8 from the node', () => {
    expect(checkFrame(Buffer.from([0x22, 0xff, 0x22]), EVM)).toMatchObject({ code: -32700 })
  })
})

describe(joinedAnswers, () => {
  it('puts every refusal where its call was, and every answer where its own', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (allowed) => {
        const { text, entries } = mixed(allowed)
        const sent = JSON.parse(allowedPart(text, entries)) as { id: number }[]
        expect(sent.map(({ id }) => id)).toEqual([...allowed.keys()].filter((id) => allowed[id]))
        const answer = JSON.stringify(sent.map(({ id }) => ({ jsonrpc: '2.0', id, result: id })))
        const joined = JSON.parse(joinedAnswers({ text, entries, family: 'evm' }, answer) ?? '') as { id: number; error?: object }[]
        expect(joined.map(({ id, error }) => [id, error === undefined])).toEqual([...allowed.entries()])
      }),
    )
  })

  it('tells of all where the node left some without an answer, as of notifications', () => {
    const { text, entries } = mixed([true, false, true])
    const joined = JSON.parse(joinedAnswers({ text, entries, family: 'evm' }, '[{"id":2,"result":1}]') ?? '')
    expect(joined).toMatchObject([{ id: 2 }, { id: 1, error: { code: -32601 } }])
  })

  it.each(['', '{"error":1}', 'Work queue depth exceeded'])('is nothing where the node said %j', (said) => {
    expect(joinedAnswers({ ...mixed([true, false]), family: 'evm' }, said)).toBeUndefined()
  })
})

describe(errorText, () => {
  const error = { code: -32601, message: 'm' }
  it.each([
    ['evm', '{"id":1.0,"method":"x"}', '{"jsonrpc":"2.0","id":1.0,"error":{"code":-32601,"message":"m"}}'],
    ['bitcoin', '{"id":"a","method":"x"}', '{"result":null,"error":{"code":-32601,"message":"m"},"id":"a"}'],
    ['bitcoin', '{"id":{"a":1}}', '{"result":null,"error":{"code":-32601,"message":"m"},"id":null}'],
    ['evm', '7', '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"m"}}'],
  ] as const)('of %s for %s', (family, call, text) => {
    expect(errorText(error, family, call)).toBe(text)
  })

  it('has the status that clients of the family know', () => {
    const statuses = [-32700, -32600, -32601].map((code) => [
      errorStatus({ code, message: '' }, 'bitcoin'),
      errorStatus({ code, message: '' }, 'evm'),
    ])
    expect(statuses).toEqual([
      [500, 200],
      [400, 200],
      [403, 200],
    ])
  })
})

function mixed(allowed: readonly boolean[]): { text: string; entries: readonly NodeCallEntry[] } {
  const text = JSON.stringify(allowed.map((each, id) => ({ jsonrpc: '2.0', id, method: each ? 'eth_call' : 'stop', params: [',"]'] })))
  const frame = checkFrame(Buffer.from(text), EVM)
  if (!('entries' in frame)) throw new Error('it is a batch')
  return { text, entries: frame.entries }
}

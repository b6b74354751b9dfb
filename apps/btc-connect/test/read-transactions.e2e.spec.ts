import type { Transaction } from '@trestle/bitcoin/transaction'
import { FakeRefusal } from './fake-node.js'
import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

const [ADA, BOB] = [scriptOf('ada'), scriptOf('bob')]
const KEY = Buffer.from(`21${'02'.padEnd(66, '7')}ac`, 'hex')
const MULTISIG = Buffer.from(`51${`21${'02'.padEnd(66, '7')}`}${`21${'03'.padEnd(66, '8')}`}52ae`, 'hex')
const RETURN = Buffer.concat([Buffer.of(0x6a, 5), Buffer.from('hello')])
const TAPROOT = Buffer.concat([Buffer.of(0x51, 32), Buffer.alloc(32, 7)])
const NONSTANDARD = Buffer.of(0x51, 0x51)

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
})

afterAll(() => api.stop())

afterEach(() => {
  api.node.takeOver = undefined
  for (const method of Object.keys(api.node.answers)) delete api.node.answers[method]
})

const hex = ({ txid }: { txid: Buffer }) => txid.toString('hex')

describe('a transaction', () => {
  it('has the specified order of members and formats of numbers', async () => {
    const chain = new SeededChain()
    const paid = chain.mine({ payTo: { script: ADA, value: 2_000_000_001n } }).transactions[0]!
    const scriptSig = Buffer.from('0102', 'hex')
    const outputs = [
      { script: BOB, value: 21_247_964n },
      { script: ADA, value: 1n },
    ]
    const transaction = chain.transaction([{ txid: paid.txid, vout: 0, script: scriptSig }], outputs, { version: 1, lockTime: 17 })
    const block = chain.mine({ transactions: [transaction] })
    const spending = chain.mine({ transactions: [chain.transaction([{ txid: transaction.txid, vout: 0 }], [{ script: ADA, value: 2n }])] })
    await api.seed(chain)

    const { text } = await api.get(`/tx/${hex(transaction)}`)
    const asm = (script: Buffer) => `OP_DUP OP_HASH160 ${script.toString('hex', 3, 23)} OP_EQUALVERIFY OP_CHECKSIG`
    expect(text).toBe(
      `{"txid":"${hex(transaction)}","version":1,"locktime":17,` +
        `"vin":[{"txid":"${hex(paid)}","vout":0,"sequence":4294967295,"n":0,"scriptSig":{"hex":"0102","asm":"2"},"addr":"${addressTo(ADA)}",` +
        `"valueSat":2000000001,"value":20.00000001,"doubleSpentTxID":null}],` +
        `"vout":[{"value":"0.21247964","n":0,"scriptPubKey":{"hex":"${BOB.toString('hex')}","asm":"${asm(BOB)}",` +
        `"addresses":["${addressTo(BOB)}"],"type":"pubkeyhash"},"spentTxId":"${hex(spending.transactions[1]!)}","spentIndex":0,"spentHeight":2},` +
        `{"value":"0.00000001","n":1,"scriptPubKey":{"hex":"${ADA.toString('hex')}","asm":"${asm(ADA)}",` +
        `"addresses":["${addressTo(ADA)}"],"type":"pubkeyhash"},"spentTxId":null,"spentIndex":null,"spentHeight":null}],` +
        `"blockhash":"${block.hash.toString('hex')}","blockheight":1,"confirmations":2,"time":${block.time},"blocktime":${block.time},` +
        `"isCoinBase":false,"valueOut":0.21247965,"size":${transaction.raw.length},"valueIn":20.00000001,"fees":19.78752036}`,
    )
  })

  it('that is a coinbase has neither an input value nor fees', async () => {
    const chain = new SeededChain()
    const { transactions, hash, time } = chain.mine({ tag: '/pool/' })
    const [coinbase] = transactions
    await api.seed(chain)
    const { text } = await api.get(`/tx/${hex(coinbase!)}`)
    expect(text).toMatch(
      new RegExp(
        `^{"txid":"${hex(coinbase!)}","version":2,"locktime":0,"vin":\\[{"coinbase":"[0-9a-f]+","sequence":4294967295,"n":0}\\],"vout":`,
      ),
    )
    expect(text).toMatch(
      new RegExp(
        `"blockhash":"${hash.toString('hex')}","blockheight":0,"confirmations":1,"time":${time},"blocktime":${time},"isCoinBase":true,"valueOut":50,"size":\\d+}$`,
      ),
    )
  })

  it('of the mempool has no block, and keeps the time at which it was first seen', async () => {
    const chain = new SeededChain()
    const paid = chain.mine({ payTo: { script: ADA, value: 100n } }).transactions[0]!
    const parent = chain.announce(chain.transaction([{ txid: paid.txid, vout: 0 }], [{ script: KEY, value: 90n }]), 1_700_000_000)
    const child = chain.announce(chain.transaction([{ txid: parent.txid, vout: 0 }], [{ script: BOB, value: 80n }]), 1_700_000_001)
    await api.seed(chain)

    const { body } = await api.get(`/tx/${hex(child)}`)
    expect(body).toMatchObject({
      blockheight: -1,
      confirmations: 0,
      time: 1_700_000_001,
      isCoinBase: false,
      valueIn: 0.0000009,
      fees: 0.0000001,
    })
    expect(body).not.toHaveProperty('blockhash')
    expect(body).not.toHaveProperty('blocktime')
    expect(body.vin[0]).toMatchObject({ txid: hex(parent), addr: addressTo(KEY), valueSat: 90 })

    const spent = await api.get(`/tx/${hex(parent)}`)
    expect(spent.body.vout[0]).toMatchObject({ spentTxId: hex(child), spentIndex: 0, spentHeight: -1 })
    expect((await api.get(`/tx/${hex(paid)}`)).body.vout[0]).toMatchObject({ spentTxId: hex(parent), spentIndex: 0, spentHeight: -1 })
  })

  it('has an array of addresses and a type for every script', async () => {
    const chain = new SeededChain()
    const paid = chain.mine().transactions[0]!
    const scripts = [KEY, MULTISIG, RETURN, TAPROOT, NONSTANDARD, Buffer.alloc(0)]
    const transaction = chain.transaction(
      [{ txid: paid.txid, vout: 0 }],
      scripts.map((script) => ({ script, value: 1n })),
    )
    chain.mine({ transactions: [transaction] })
    await api.seed(chain)
    const { body } = await api.get(`/tx/${hex(transaction)}`)
    expect(body.vout.map(({ scriptPubKey }: { scriptPubKey: object }) => scriptPubKey)).toMatchObject([
      { addresses: [addressTo(KEY)], type: 'pubkey' },
      { addresses: [], type: 'multisig' },
      { addresses: [], type: 'nulldata', asm: 'OP_RETURN 68656c6c6f' },
      { addresses: [addressTo(TAPROOT)], type: 'witness_v1_taproot' },
      { addresses: [], type: 'nonstandard' },
      { addresses: [], type: 'nonstandard', hex: '', asm: '' },
    ])
  })

  it('with an unknown input has neither its value nor fees', async () => {
    const chain = new SeededChain()
    const transaction = chain.transaction([{ txid: Buffer.alloc(32, 9), vout: 3 }], [{ script: ADA, value: 1n }])
    chain.mine({ transactions: [transaction] })
    await api.seed(chain)
    const { body } = await api.get(`/tx/${hex(transaction)}`)
    expect(body.vin[0]).toEqual({
      txid: '09'.repeat(32),
      vout: 3,
      sequence: 0xffff_ffff,
      n: 0,
      scriptSig: { hex: '', asm: '' },
      addr: null,
      doubleSpentTxID: null,
    })
    expect(body).not.toHaveProperty('valueIn')
    expect(body).not.toHaveProperty('fees')
  })

  it('BIP 30: that is in two blocks is that of the later one', async () => {
    const chain = new SeededChain()
    const coinbase = chain.coinbase({})
    for (let i = 0; i < 2; i++) Object.assign(chain.mine(), { transactions: [coinbase] })
    chain.mine()
    await api.seed(chain)
    expect((await api.get(`/tx/${hex(coinbase)}`)).body).toMatchObject({ blockheight: 1, confirmations: 2 })
  })

  it('is found by its id in upper case as well', async () => {
    const chain = new SeededChain()
    const [coinbase] = chain.mine().transactions
    await api.seed(chain)
    expect((await api.get(`/tx/${hex(coinbase!).toUpperCase()}`)).body.txid).toBe(hex(coinbase!))
  })

  it('with 3,000 outputs is returned whole', async () => {
    const chain = new SeededChain()
    const paid = chain.mine().transactions[0]!
    const outputs = Array.from({ length: 3000 }, (_, n) => ({ script: scriptOf(`payee ${n}`), value: BigInt(n) }))
    const transaction = chain.transaction([{ txid: paid.txid, vout: 0 }], outputs)
    const inputs = outputs.map((_, vout) => ({ txid: transaction.txid, vout }))
    const collected = chain.transaction(inputs, [{ script: ADA, value: 1n }])
    chain.mine({ transactions: [transaction, collected] })
    await api.seed(chain)
    const { body } = await api.get(`/tx/${hex(transaction)}`)
    expect(body.vout.at(-1)).toMatchObject({ n: 2999, spentIndex: 2999, spentHeight: 1 })
    expect((await api.get(`/tx/${hex(collected)}`)).body).toMatchObject({ valueIn: 0.044985, vin: { length: 3000 } })
  })
})

describe('bytes that are not stored here', () => {
  // What the node gave once is kept for a while: each test has transactions of its own.
  let lockTime = 1

  function chainAtNode() {
    const chain = new SeededChain()
    const paid = chain.mine({ payTo: { script: ADA, value: 100n } }).transactions[0]!
    const transactions = Array.from({ length: 3 }, (_, n) =>
      chain.transaction([{ txid: paid.txid, vout: n }], [{ script: ADA, value: 1n }], { lockTime: lockTime++ }),
    )
    chain.mine({ transactions })
    return { chain, transactions }
  }

  function serve(transactions: readonly Transaction[]): void {
    const raws = new Map(transactions.map((transaction) => [hex(transaction), transaction.raw.toString('hex')]))
    api.node.answers.getrawtransaction = (txid) => {
      const raw = raws.get(txid as string)
      if (!raw) throw new FakeRefusal(-5, 'No such mempool or blockchain transaction.')
      return raw
    }
  }

  it('are read from the node, once for simultaneous requests', async () => {
    const { chain, transactions } = chainAtNode()
    const [first, ...others] = chain.blocks[1]!.transactions
    serve([first!, ...others])
    await api.seed(chain, { storeRaw: false })
    api.node.asked.length = 0
    const block = chain.blocks[1]!.hash.toString('hex')
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.get(`/txs?block=${block}`)))
    for (const { body } of answers)
      expect(body.txs.map(({ txid }: { txid: string }) => txid)).toEqual([hex(first!), ...transactions.map(hex)])
    expect(api.node.asked.filter((method) => method === 'getrawtransaction')).toHaveLength(4)
  })

  it('of the genesis coinbase come with its block', async () => {
    const chain = new SeededChain()
    const { header, transactions, hash } = chain.mine()
    await api.seed(chain, { storeRaw: false })
    api.node.blockFor = (asked) =>
      asked === hash.toString('hex') ? Buffer.concat([header, Buffer.of(1), transactions[0]!.raw]) : undefined
    expect((await api.get(`/tx/${hex(transactions[0]!)}`)).body).toMatchObject({ isCoinBase: true, blockheight: 0 })
  })

  it.each([
    ['another transaction', (other: Transaction) => other.raw.toString('hex')],
    ['half of it', (_: Transaction, wanted: Transaction) => wanted.raw.toString('hex').slice(0, 40)],
    ['nothing of the kind', () => '00'],
    ['no hex', () => 'zz'],
  ])('are refused if the node returns %s', async (_, give) => {
    const { chain, transactions } = chainAtNode()
    await api.seed(chain, { storeRaw: false })
    api.node.answers.getrawtransaction = () => give(transactions[1]!, transactions[0]!)
    const { status, body, headers } = await api.get(`/tx/${hex(transactions[0]!)}`)
    expect(status).toBe(503)
    expect(body.code).toBe('NodeUnavailable')
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    serve(transactions)
    expect((await api.get(`/tx/${hex(transactions[0]!)}`)).status).toBe(200)
  })

  it('hold no database connection while the node is slow', async () => {
    const { chain, transactions } = chainAtNode()
    await api.seed(chain, { storeRaw: false })
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    api.node.takeOver = async (response) => {
      asked.resolve()
      await answered.promise
      response.writeHead(500).end()
    }
    // More than the pool has connections.
    const waiting = Array.from({ length: 30 }, () => api.get(`/tx/${hex(transactions[0]!)}`))
    await asked.promise
    expect((await api.get(`/addr/${addressTo(ADA)}`)).status).toBe(200)
    answered.resolve()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(503)
  })
})

describe('pages of transactions', () => {
  it('of a block are in its order', async () => {
    const chain = new SeededChain()
    const paid = chain.mine().transactions[0]!
    const transactions = Array.from({ length: 24 }, (_, n) =>
      chain.transaction([{ txid: paid.txid, vout: n }], [{ script: ADA, value: 1n }]),
    )
    const block = chain.mine({ transactions })
    await api.seed(chain)
    const page = async (query: string) => {
      const { body } = await api.get(`/txs?block=${block.hash.toString('hex')}${query}`)
      return { pagesTotal: body.pagesTotal, txids: body.txs.map(({ txid }: { txid: string }) => txid) }
    }
    const all = block.transactions.map(hex)
    expect(await page('')).toEqual({ pagesTotal: 3, txids: all.slice(0, 10) })
    expect(await page('&pageNum=0')).toEqual({ pagesTotal: 3, txids: all.slice(0, 10) })
    expect(await page('&pageNum=2')).toEqual({ pagesTotal: 3, txids: all.slice(20) })
    expect(await page('&pageNum=3')).toEqual({ pagesTotal: 3, txids: [] })
    expect(await page('&pageNum=99999999999999')).toEqual({ pagesTotal: 3, txids: [] })
    expect(await page(`&address=${addressTo(BOB)}`)).toEqual({ pagesTotal: 3, txids: all.slice(0, 10) })
  })

  it('of an address are newest first', async () => {
    const chain = new SeededChain()
    for (let i = 0; i < 11; i++) chain.mine({ payTo: { script: ADA, value: 1n } })
    chain.announce(chain.transaction([{ txid: chain.blocks[3]!.transactions[0]!.txid, vout: 0 }], [{ script: BOB, value: 1n }]))
    await api.seed(chain)
    const { body, text } = await api.get(`/txs/?address=${addressTo(ADA)}`)
    expect(text).toMatch(/^{"pagesTotal":2,"txs":\[/)
    expect(body.txs.map(({ txid }: { txid: string }) => txid)).toEqual(chain.historyOf(ADA).slice(0, 10))
    expect((await api.get(`/txs?address=${addressTo(ADA)}&pageNum=1`)).body.txs).toHaveLength(2)
  })
})

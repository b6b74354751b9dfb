import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

const [ADA, BOB, EVE] = [scriptOf('ada'), scriptOf('bob'), scriptOf('eve')]
const ada = addressTo(ADA)
const bob = addressTo(BOB)
// The key of the genesis block, and the script that pays to it as it stands.
const KEY =
  '04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f'
const TO_KEY = Buffer.from(`41${KEY}ac`, 'hex')

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
})

afterAll(() => api.stop())

/** Ada was paid twice and spent the first; the mempool pays her 1 satoshi and takes the second from her. */
function chainOfAda() {
  const chain = new SeededChain()
  const paid = chain.mine({ payTo: { script: ADA, value: 60_000n } }).transactions[0]!
  chain.mine()
  const spent = chain.transaction(
    [{ txid: paid.txid, vout: 0 }],
    [
      { script: BOB, value: 50_000n },
      { script: ADA, value: 9_000n },
    ],
  )
  const block = chain.mine({ transactions: [spent] })
  const dust = chain.announce(chain.transaction([{ txid: block.transactions[0]!.txid, vout: 0 }], [{ script: ADA, value: 1n }]))
  const taken = chain.announce(chain.transaction([{ txid: spent.txid, vout: 1 }], [{ script: EVE, value: 8_000n }]))
  return { chain, paid, spent, block, dust, taken }
}

const hex = ({ txid }: { txid: Buffer }) => txid.toString('hex')

describe('an address', () => {
  it('has the specified order of members and formats of numbers', async () => {
    const { chain, paid, spent, dust, taken } = chainOfAda()
    await api.seed(chain)
    const { status, text, headers } = await api.get(`/addr/${ada}`)
    expect(status).toBe(200)
    expect(text).toBe(
      `{"addrStr":"${ada}","balance":0.00009,"balanceSat":9000,"totalReceived":0.00069,"totalReceivedSat":69000,"totalSent":0.0006,` +
        `"totalSentSat":60000,"unconfirmedBalance":-0.00008999,"unconfirmedBalanceSat":-8999,"unconfirmedTxApperances":2,"txApperances":2,` +
        `"transactions":["${hex(taken)}","${hex(dust)}","${hex(spent)}","${hex(paid)}"]}`,
    )
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-index-height')).toBe('2')
  })

  it.each([
    ['balance', '9000'],
    ['totalReceived', '69000'],
    ['totalSent', '60000'],
    ['unconfirmedBalance', '-8999'],
  ])('has its %s as a bare number', async (figure, text) => {
    await api.seed(chainOfAda().chain)
    const answer = await api.get(`/addr/${ada}/${figure}`)
    expect(answer).toMatchObject({ status: 200, text })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('prints integers digit for digit beyond 2^53, and one satoshi without an exponent', async () => {
    await api.seed(chainOfAda().chain)
    await api.sql.query('UPDATE script SET received = 123456789012345678901, sent = 123456789012345678900 WHERE script = $1', [ADA])
    const { text } = await api.get(`/addr/${ada}?noTxList=1`)
    expect(text).toContain(
      '"balance":0.00000001,"balanceSat":1,"totalReceived":1234567890123.45678901,"totalReceivedSat":123456789012345678901,',
    )
    expect((await api.get(`/addr/${ada}/totalSent`)).text).toBe('123456789012345678900')
  })

  it('is all zeros if it was never paid', async () => {
    await api.seed(chainOfAda().chain)
    const unused = addressTo(scriptOf('nobody'))
    const { status, text } = await api.get(`/addr/${unused}`)
    expect(status).toBe(200)
    expect(text).toBe(
      `{"addrStr":"${unused}","balance":0,"balanceSat":0,"totalReceived":0,"totalReceivedSat":0,"totalSent":0,"totalSentSat":0,` +
        '"unconfirmedBalance":0,"unconfirmedBalanceSat":0,"unconfirmedTxApperances":0,"txApperances":0,"transactions":[]}',
    )
  })

  it.each(['noTxList=1', 'noTxList=true'])('leaves the list out with %s', async (query) => {
    await api.seed(chainOfAda().chain)
    expect((await api.get(`/addr/${ada}?${query}`)).body.transactions).toBeUndefined()
    expect((await api.get(`/addr/${ada}/?${query}`)).body.transactions).toBeUndefined()
  })

  it('applies `from` and `to` only together', async () => {
    const { chain } = chainOfAda()
    await api.seed(chain)
    const all = chain.historyOf(ADA)
    expect((await api.get(`/addr/${ada}?from=1&to=3`)).body.transactions).toEqual(all.slice(1, 3))
    expect((await api.get(`/addr/${ada}?from=3&to=1000`)).body.transactions).toEqual(all.slice(3))
    expect((await api.get(`/addr/${ada}?from=900000000000&to=900000000010`)).body.transactions).toEqual([])
    expect((await api.get(`/addr/${ada}?from=2`)).body.transactions).toEqual(all)
    expect((await api.get(`/addr/${ada}?to=1`)).body.transactions).toEqual(all)
  })

  it('owns what was paid to its bare key', async () => {
    const chain = new SeededChain()
    const { transactions } = chain.mine({ payTo: { script: TO_KEY, value: 5n } })
    const address = addressTo(TO_KEY)
    await api.seed(chain)
    expect((await api.get(`/addr/${address}`)).body).toMatchObject({ balanceSat: 5, transactions: [hex(transactions[0]!)] })
    expect((await api.get(`/addr/${address}/utxo`)).body).toMatchObject([{ address, scriptPubKey: TO_KEY.toString('hex'), satoshis: 5 }])
  })
})

describe('unspent outputs', () => {
  it('have their members in the specified order, the mempool first, without outputs that the mempool spends', async () => {
    const { chain, spent, block, dust } = chainOfAda()
    await api.seed(chain)
    const { text } = await api.post('/addrs/utxo', { addrs: `${ada},${bob}` })
    expect(text).toBe(
      `[{"address":"${ada}","txid":"${hex(dust)}","vout":0,"scriptPubKey":"${ADA.toString('hex')}","amount":0.00000001,"satoshis":1,` +
        `"confirmations":0,"ts":${chain.mempool[0]!.firstSeen}},` +
        `{"address":"${bob}","txid":"${hex(spent)}","vout":0,"scriptPubKey":"${BOB.toString('hex')}","amount":0.0005,"satoshis":50000,` +
        `"height":2,"confirmations":1,"ts":${block.time}}]`,
    )
  })

  it('are the same by every path', async () => {
    await api.seed(chainOfAda().chain)
    const { text } = await api.post('/addrs/utxo', { addrs: [ada] })
    expect((await api.get(`/addr/${ada}/utxo`)).text).toBe(text)
    expect((await api.get(`/addrs/${ada}/utxo`)).text).toBe(text)
    expect((await api.post('/addrs/utxo', { addrs: ` ${ada} ,${ada},` })).text).toBe(text)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.call('/api/v1/addrs/utxo', { method: 'POST', headers, body: `addrs=${ada}&minHeight=0` })).text).toBe(
      (await api.post('/addrs/utxo', { addrs: [ada], minHeight: 0 })).text,
    )
  })

  it('are limited to a range of blocks on request', async () => {
    const chain = new SeededChain()
    const txids = [0, 1, 2, 3].map(() => hex(chain.mine({ payTo: { script: ADA, value: 7n } }).transactions[0]!))
    const taken = chain.announce(chain.transaction([{ txid: Buffer.from(txids[3]!, 'hex'), vout: 0 }], [{ script: ADA, value: 6n }]))
    await api.seed(chain)
    const outputs = async (query: string) => (await api.get(`/addr/${ada}/utxo?${query}`)).body.map(({ txid }: { txid: string }) => txid)
    expect(await outputs('minHeight=1&maxHeight=2')).toEqual([txids[2], txids[1]])
    expect(await outputs('maxHeight=0')).toEqual([txids[0]])
    expect(await outputs('minHeight=2')).toEqual([hex(taken), txids[2]])
    expect(await outputs('minHeight=100000000000000')).toEqual([hex(taken)])
    expect(await outputs('maxHeight=100000000000000')).toEqual([txids[2], txids[1], txids[0]])
  })

  it('are refused with advice if there are too many', async () => {
    await api.seed(chainOfAda().chain)
    await api.sql.query('UPDATE script SET utxo_count = 10001 WHERE script = $1', [BOB])
    const { status, body } = await api.get(`/addr/${bob}/utxo`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'TooManyOutputs', detail: expect.stringMatching(/more than 10000 .*minHeight and maxHeight/) })
    expect((await api.get(`/addr/${bob}/utxo?minHeight=2&maxHeight=2`)).body).toHaveLength(1)
  })
})

describe('the transactions of several addresses', () => {
  it('are an array of summaries, each once, with the total in a header', async () => {
    const { chain } = chainOfAda()
    await api.seed(chain)
    const { body, headers } = await api.post('/addrs/txs', { addrs: [ada, bob], from: 0, to: 3 })
    expect(body.map(({ txid }: { txid: string }) => txid)).toEqual(chain.historyOf(ADA, BOB).slice(0, 3))
    expect(headers.get('x-total-count')).toBe('4')
    expect(headers.get('access-control-expose-headers')).toContain('X-Total-Count')
  })

  it('are told in the specified order of members, without inputs and outputs', async () => {
    const { chain, spent, block, taken, paid } = chainOfAda()
    await api.seed(chain)
    const { text } = await api.post('/addrs/txs', { addrs: ada })
    const [unconfirmed, , confirmed, coinbase] = text.slice(2, -2).split('},{')
    expect(unconfirmed).toBe(
      `"txid":"${hex(taken)}","version":2,"locktime":0,"blockheight":-1,"confirmations":0,"time":${chain.mempool[1]!.firstSeen},` +
        `"isCoinBase":false,"valueOut":0.00008,"size":${taken.raw.length},"valueIn":0.00009,"fees":0.00001`,
    )
    expect(confirmed).toBe(
      `"txid":"${hex(spent)}","version":2,"locktime":0,"blockhash":"${block.hash.toString('hex')}","blockheight":2,"confirmations":1,` +
        `"time":${block.time},"blocktime":${block.time},"isCoinBase":false,"valueOut":0.00059,"size":${spent.raw.length},"valueIn":0.0006,"fees":0.00001`,
    )
    expect(coinbase).toMatch(new RegExp(`^"txid":"${hex(paid)}".*"isCoinBase":true,"valueOut":0.0006,"size":\\d+$`))
  })

  it('come as a page of whole transactions by GET', async () => {
    const { chain } = chainOfAda()
    await api.seed(chain)
    const { body, text } = await api.get(`/addrs/${ada},${bob}/txs?from=1&to=50`)
    expect(text).toMatch(/^{"totalItems":4,"from":1,"to":4,"items":\[{"txid"/)
    expect(body.items.map(({ txid }: { txid: string }) => txid)).toEqual(chain.historyOf(ADA, BOB).slice(1))
    expect(body.items[0].vin[0].scriptSig).toEqual({ hex: '', asm: '' })
  })

  it('omit what is excluded', async () => {
    await api.seed(chainOfAda().chain)
    const { body } = await api.get(`/addrs/${ada}/txs?noAsm=1&noScriptSig=1&noSpent=1`)
    expect(body.items[0].vin[0].scriptSig).toBeUndefined()
    expect(Object.keys(body.items[0].vout[0])).toEqual(['value', 'n', 'scriptPubKey'])
    expect(Object.keys(body.items[0].vout[0].scriptPubKey)).toEqual(['hex', 'addresses', 'type'])
    expect((await api.get(`/addrs/${ada}/txs?noAsm=1`)).body.items[0].vin[0].scriptSig).toEqual({ hex: '' })
  })

  it('are ten by default, and a query overrides the body', async () => {
    const chain = new SeededChain()
    for (let i = 0; i < 12; i++) chain.mine({ payTo: { script: ADA, value: 1n } })
    await api.seed(chain)
    const all = chain.historyOf(ADA)
    const listed = async (path: string, body: object) => (await api.post(path, body)).body.map(({ txid }: { txid: string }) => txid)
    expect(await listed('/addrs/txs', { addrs: ada })).toEqual(all.slice(0, 10))
    expect(await listed('/addrs/txs', { addrs: ada, from: 5 })).toEqual(all.slice(5, 15))
    expect(await listed('/addrs/txs', { addrs: ada, from: '1', to: '2' })).toEqual(all.slice(1, 2))
    expect(await listed('/addrs/txs?from=0&to=1', { addrs: ada, from: 5, to: 9 })).toEqual(all.slice(0, 1))
    expect(await listed('/addrs/txs', { addrs: ada, to: 0 })).toEqual(all.slice(0, 10))
  })

  it('of one address are read at any depth', async () => {
    await api.seed(chainOfAda().chain)
    expect((await api.post('/addrs/txs', { addrs: ada, from: 5_000_000, to: 5_000_050 })).body).toEqual([])
    expect((await api.post('/addrs/txs', { addrs: [ada, bob], from: 9_990, to: 10_000 })).body).toEqual([])
    expect((await api.post('/addrs/txs', { addrs: [ada, bob], from: 9_990, to: 10_001 })).body.code).toBe('InvalidRange')
  })
})

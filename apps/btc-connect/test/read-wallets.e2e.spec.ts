import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { descriptorChecksum } from '@trestle/bitcoin/descriptors/checksum'
import { descriptorOf } from '@trestle/bitcoin/descriptors/descriptor'
import { getRaw, type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

// BIP 49's account of the test networks; the same key in its three spellings (SLIP-132).
const UPUB = 'upub5EFU65HtV5TeiSHmZZm7FUffBGy8UKeqp7vw43jYbvZPpoVsgU93oac7Wk3u6moKegAEWtGNF8DehrnHtv21XXEMYRUocHqguyjknFHYfgY'
const TPUB = 'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2'
const NESTED = `sh(wpkh(${TPUB}/<0;1>/*))`
const RULES = chainRules('btc', 'regtest')
const nested = descriptorOf(NESTED, RULES)
const at = (branch: number, index: number) => nested.scriptAt({ branch, index })
const addressAt = (branch: number, index: number) => addressOf(at(branch, index), RULES)

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
})

afterAll(() => api.stop())

/** Paid at 0/0 and, behind a gap of nineteen, at 0/20; the first is spent to a stranger and to the change; the mempool pays 0/3. */
function chainOfWallet() {
  const chain = new SeededChain()
  const first = chain.mine({ payTo: { script: at(0, 0), value: 100_000n } }).transactions[0]!
  const far = chain.mine({ payTo: { script: at(0, 20), value: 7_000n } }).transactions[0]!
  const outputs = [
    { script: scriptOf('bob'), value: 60_000n },
    { script: at(1, 0), value: 39_000n },
  ]
  const spent = chain.transaction([{ txid: first.txid, vout: 0 }], outputs)
  const { transactions } = chain.mine({ transactions: [spent] })
  const late = chain.announce(chain.transaction([{ txid: transactions[0]!.txid, vout: 0 }], [{ script: at(0, 3), value: 500n }]))
  return { chain, ids: [late, spent, far, first].map(({ txid }) => txid.toString('hex')) }
}

describe('a wallet', () => {
  let ids: string[]
  beforeAll(async () => {
    const { chain, ids: all } = chainOfWallet()
    ids = all
    await api.seed(chain)
  })

  it('has the sums of its addresses, the used ones and the next', async () => {
    const { status, body, headers } = await api.get(`/xpub/${UPUB}`)
    expect(status).toBe(200)
    expect(headers.get('x-index-height')).toBe('2')
    expect(body).toEqual({
      descriptor: `${NESTED}#${descriptorChecksum(NESTED)}`,
      balance: 0.00046,
      balanceSat: 46_000,
      totalReceived: 0.00146,
      totalReceivedSat: 146_000,
      totalSent: 0.001,
      totalSentSat: 100_000,
      unconfirmedBalance: 0.000005,
      unconfirmedBalanceSat: 500,
      transactions: 4,
      usedAddresses: 4,
      next: [
        { address: addressAt(0, 21), branch: 0, index: 21 },
        { address: addressAt(1, 1), branch: 1, index: 1 },
      ],
      addresses: [
        { address: addressAt(0, 0), branch: 0, index: 0, ...figures(0, 100_000, 100_000), transactions: 2 },
        { address: addressAt(0, 3), branch: 0, index: 3, ...figures(0, 0, 0, 500), transactions: 1 },
        { address: addressAt(0, 20), branch: 0, index: 20, ...figures(7_000, 7_000, 0), transactions: 1 },
        { address: addressAt(1, 0), branch: 1, index: 0, ...figures(39_000, 39_000, 0), transactions: 1 },
      ],
    })
  })

  it('is the same by its descriptor, in a path or in a body', async () => {
    const { text } = await api.get(`/xpub/${UPUB}`)
    expect((await api.get(`/xpub/${encodeURIComponent(NESTED)}`)).text).toBe(text)
    expect((await api.get(`/xpub/${encodeURIComponent(`${NESTED}#${descriptorChecksum(NESTED)}`)}`)).text).toBe(text)
    expect((await api.post('/xpub', { xpub: UPUB })).text).toBe(text)
  })

  it('ends where the gap is longer than asked for', async () => {
    const { body } = await api.get(`/xpub/${UPUB}?gap=16`)
    expect(body).toMatchObject({ usedAddresses: 3, balanceSat: 39_000, next: [{ index: 4 }, { index: 1 }] })
    expect((await api.post('/xpub', { xpub: UPUB, gap: 17 })).body).toMatchObject({ usedAddresses: 4 })
  })

  it('has its addresses in pages', async () => {
    const { body } = await api.get(`/xpub/${UPUB}?from=1&to=3`)
    expect(body).toMatchObject({ usedAddresses: 4, addresses: [{ index: 3 }, { index: 20 }] })
    expect((await api.get(`/xpub/${UPUB}?from=3&to=3`)).body).toMatchObject({ code: 'InvalidRange' })
  })

  it('has unspent outputs, each with its place', async () => {
    const { body, text } = await api.get(`/xpub/${UPUB}/utxo`)
    expect(
      body.map(({ address, branch, index, satoshis, confirmations }: never) => [address, branch, index, satoshis, confirmations]),
    ).toEqual([
      [addressAt(0, 3), 0, 3, 500, 0],
      [addressAt(1, 0), 1, 0, 39_000, 1],
      [addressAt(0, 20), 0, 20, 7_000, 2],
    ])
    expect((await api.post('/xpub/utxo', { xpub: UPUB })).text).toBe(text)
  })

  it('has transactions, newest first, each once', async () => {
    const { body, text } = await api.get(`/xpub/${UPUB}/txs`)
    expect(body).toMatchObject({ totalItems: 4, from: 0, to: 4 })
    expect(body.items.map(({ txid }: { txid: string }) => txid)).toEqual(ids)
    expect((await api.post('/xpub/txs', { xpub: UPUB })).text).toBe(text)
    expect((await api.get(`/xpub/${UPUB}/txs?from=1&to=3`)).body.items).toHaveLength(2)
  })

  it('is empty where nobody ever paid it', async () => {
    const { body } = await api.get(`/xpub/${TPUB}`)
    expect(body).toMatchObject({ transactions: 0, usedAddresses: 0, next: [{ index: 0 }, { index: 0 }], addresses: [] })
    expect((await api.get(`/xpub/${TPUB}/utxo`)).body).toEqual([])
    expect((await api.get(`/xpub/${TPUB}/txs`)).body).toMatchObject({ totalItems: 0, items: [] })
  })

  it.each([
    [UPUB.replace('upub5', 'upub6'), 'InvalidWallet', 'it is neither a descriptor nor an extended public key such as xpub, ypub or zpub'],
    ['tprv8ZgxMBicQKsPd', 'InvalidWallet', 'it is a private key: only public ones belong here'],
    [`wpkh(${TPUB}/0h/*)`, 'InvalidWallet', 'a public key has no hardened children'],
    ['xpub6CUGRUo', 'InvalidWallet', 'it is neither a descriptor nor an extended public key such as xpub, ypub or zpub'],
  ])('is not %s', async (text, code, reason) => {
    const { status, body } = await api.get(`/xpub/${encodeURIComponent(text)}`)
    expect([status, body.code]).toEqual([400, code])
    expect(body.detail).toBe(`This is no wallet of btc regtest: ${reason}.`)
  })

  it.each([
    ['gap=0', 'gap'],
    ['gap=201', 'gap'],
  ])('refuses %s', async (query, member) => {
    const { status, text } = await api.get(`/xpub/${UPUB}?${query}`)
    expect(status).toBe(400)
    expect(text).toContain(member)
  })

  it('refuses what is longer than any wallet', async () => {
    const { status } = await getRaw(api.url, `/api/v1/xpub/${'x'.repeat(6_000)}`)
    expect([400, 414]).toContain(status)
    expect((await api.post('/xpub', { xpub: 'x'.repeat(6_000) })).status).toBe(400)
  })
})

describe('several addresses', () => {
  it('have sums, in which a transaction of two counts once', async () => {
    await api.seed(chainOfWallet().chain)
    const addresses = [addressAt(0, 0), addressAt(1, 0), addressTo(scriptOf('bob')), addressAt(0, 0)]
    const { body, text, headers } = await api.get(`/addrs/${addresses.join(',')}`)
    expect(headers.get('x-index-height')).toBe('2')
    const sums = { balance: 0.00099, totalReceived: 0.00199, totalSent: 0.001, unconfirmedBalance: 0 }
    expect(body).toMatchObject({
      addresses: 3,
      balanceSat: 99_000,
      totalReceivedSat: 199_000,
      totalSentSat: 100_000,
      ...sums,
      transactions: 2,
    })
    expect((await api.post('/addrs', { addrs: addresses })).text).toBe(text)
    expect((await api.post('/addrs', {})).body).toMatchObject({ code: 'MissingAddress' })
  })
})

function figures(balanceSat: number, totalReceivedSat: number, totalSentSat: number, unconfirmedBalanceSat = 0) {
  return { balanceSat, totalReceivedSat, totalSentSat, unconfirmedBalanceSat }
}

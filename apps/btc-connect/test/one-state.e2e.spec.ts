import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

const ADA = scriptOf('ada')
const ada = addressTo(ADA)

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
})

afterAll(() => api.stop())

describe('an answer', () => {
  it('is of one state of the chain, however often it changes', async () => {
    const [one, other] = branches()
    const txid = one.mempool[0]!.transaction.txid.toString('hex')
    const left = one.stale[0]!.hash.toString('hex')
    const paths = [
      `/addr/${ada}`,
      `/addr/${ada}/utxo`,
      `/txs?address=${ada}`,
      `/tx/${txid}`,
      `/addrs/${ada},${addressTo(scriptOf('miner'))}/txs?to=50`,
      `/block/${left}`,
      '/blocks?date=2026-01-31',
    ]
    const expected = new Map<string, string[]>()
    for (const chain of [one, other]) {
      await api.seed(chain)
      for (const path of paths) expected.set(path, [...(expected.get(path) ?? []), (await api.get(path)).text])
    }
    let over = false
    const writing = (async () => {
      for (let i = 0; i < 30; i++) await api.seed(i % 2 ? other : one)
      over = true
    })()
    const seen = new Map<string, Set<string>>()
    while (!over) {
      const answers = await Promise.all(paths.map(async (path) => [path, (await api.get(path)).text] as const))
      for (const [path, text] of answers) seen.set(path, (seen.get(path) ?? new Set()).add(text))
    }
    await writing
    for (const path of paths) expect(expected.get(path)).toEqual(expect.arrayContaining([...(seen.get(path) ?? [])]))
  })
})

describe('before there is anything to read', () => {
  it.each([
    ['no index was begun', async () => void (await api.sql.query('DELETE FROM index_state')), 0],
    ['the first load is under way', () => loading('load'), 50],
    ['the load is merged', () => loading('merge'), 50],
    ['there is no block', () => api.seed(new SeededChain()), 0],
  ])('the answer is 503 when %s', async (_, prepare, percent) => {
    await api.seed(branches()[0])
    await prepare()
    for (const path of [
      `/addr/${ada}`,
      `/addr/${ada}/balance`,
      `/addr/${ada}/utxo`,
      `/txs?address=${ada}`,
      `/rawtx/${'01'.repeat(32)}`,
      '/block-index/0',
      '/blocks',
      '/events',
    ]) {
      const { status, body, headers } = await api.get(path)
      expect({ path, status }).toEqual({ path, status: 503 })
      expect(body).toMatchObject({ code: 'NotReady', detail: `Server not yet ready. Sync Percentage:${percent}` })
      expect(headers.get('retry-after')).toBe('10')
    }
  })

  it('is sent in plain text to clients that ask for it', async () => {
    await api.seed(new SeededChain())
    expect((await api.get(`/addr/${ada}`, { accept: 'text/plain' })).text).toBe('Server not yet ready. Sync Percentage:0')
  })
})

/** The tip that was left holds a payment to Ada, which is in the mempool on the other branch. */
function branches(): [SeededChain, SeededChain] {
  const chain = () => {
    const made = new SeededChain()
    for (let i = 0; i < 5; i++) made.mine({ payTo: { script: ADA, value: 100n } })
    return made
  }
  const one = chain()
  const payment = one.transaction([{ txid: one.blocks[2]!.transactions[0]!.txid, vout: 0 }], [{ script: ADA, value: 99n }])
  one.mine({ transactions: [payment] })
  one.leave()
  one.mine({ tag: 'another' })
  one.announce(payment)
  const other = chain()
  other.mine({ transactions: [payment] })
  return [one, other]
}

async function loading(phase: 'load' | 'merge'): Promise<void> {
  await api.seed(branches()[0], { phase })
  await api.sql.query('UPDATE index_state SET node_height = 999')
  await api.sql.query('INSERT INTO load_range VALUES (0, 249, 0, 1, now()), (500, 749, 2, 3, now())')
}

describe('an index of some addresses only', () => {
  it('refuses other addresses, and says so', async () => {
    const bob = addressTo(scriptOf('bob'))
    const some = await startSeededApi({ TRACK: ada })
    await some.seed(branches()[0])
    expect((await some.get(`/addr/${ada}/balance`)).text).toBe('500')
    for (const path of [`/addr/${bob}`, `/addr/${bob}/utxo`, `/txs?address=${bob}`, `/addrs/${ada},${bob}/txs`, `/events?address=${bob}`]) {
      const { status, body } = await some.get(path)
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'NotFollowed' })
    }
    await some.stop()
  })
})

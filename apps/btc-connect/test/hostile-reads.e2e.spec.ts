import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

// Cases of list B that are about ranges, heights, hashes and days. After each of them the next request must work.

const ADA = scriptOf('ada')
const ada = addressTo(ADA)

let api: SeededApi

beforeAll(async () => {
  api = await startSeededApi()
  const chain = new SeededChain()
  for (let i = 0; i < 3; i++) chain.mine({ payTo: { script: ADA, value: 1n } })
  await api.seed(chain)
})

afterEach(async () => {
  expect((await api.get(`/addr/${ada}/balance`)).text).toBe('3')
})

afterAll(() => api.stop())

describe('B8, B17, B23: ranges', () => {
  it.each([
    ['from=5&to=5', 'Invalid state: "from" (5) is expected to be less than "to" (5)'],
    ['from=6&to=5', 'Invalid state: "from" (6) is expected to be less than "to" (5)'],
    ['from=0&to=0', 'Invalid state: "from" (0) is expected to be less than "to" (0)'],
    ['from=0&to=1001', '"from" (0) and "to" (1001) range should be less than or equal to 1000'],
  ])('of ids: %s', async (query, detail) => {
    expect(await api.get(`/addr/${ada}?${query}`)).toMatchObject({ status: 400, body: { code: 'InvalidRange', detail } })
  })

  it.each([
    [{ from: 0, to: 51 }, '"from" (0) and "to" (51) range should be less than or equal to 50'],
    [{ from: 20, to: 10 }, 'Invalid state: "from" (20) is expected to be less than "to" (10)'],
  ])('of transactions: %j', async (range, detail) => {
    expect(await api.post('/addrs/txs', { addrs: ada, ...range })).toMatchObject({ status: 400, body: { code: 'InvalidRange', detail } })
    const query = new URLSearchParams(Object.entries(range).map(([name, value]): [string, string] => [name, String(value)]))
    expect(await api.get(`/addrs/${ada}/txs?${query}`)).toMatchObject({ status: 400, body: { detail } })
  })

  const NO_NUMBERS = [
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '１',
    ' 1',
    '%201',
    '+1',
    '%2B1',
    '-0',
    'NaN',
    'Infinity',
    'null',
    '9007199254740993',
    '010',
    'a',
    '',
  ]

  it.each(NO_NUMBERS)('does not accept %j as a number in a query', async (text) => {
    for (const path of [
      `/addr/${ada}?from=${text}&to=5`,
      `/addr/${ada}?from=0&to=${text}`,
      `/addrs/${ada}/txs?from=${text}`,
      `/addr/${ada}/utxo?minHeight=${text}`,
      `/txs?address=${ada}&pageNum=${text}`,
      `/blocks?limit=${text}`,
      `/blocks?startTimestamp=${text}`,
    ]) {
      const { status, body } = await api.get(path)
      expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: 'InvalidInput' })
    }
  })

  it.each([-1, 1.5, 1e300, true, null, [], {}, [1], '1e3', 'x'])('does not accept %j as a number in a body', async (value) => {
    expect(await api.post('/addrs/txs', { addrs: ada, from: value })).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
    expect(await api.post('/addrs/utxo', { addrs: ada, maxHeight: value })).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
  })

  it.each(['from=1&from=2&to=5', 'from[]=1&to=5', 'from[$gt]=1&to=5', 'noTxList=1&noTxList=1', 'noTxList=yes', 'noTxList=2'])(
    'X21, X22: accepts one plain value only: %s',
    async (query) => {
      expect((await api.get(`/addr/${ada}?${query}`)).status).toBe(400)
    },
  )

  it('handles numbers beyond every limit', async () => {
    expect((await api.get(`/addr/${ada}?from=99999999999990&to=99999999999999`)).body.transactions).toEqual([])
    expect((await api.get(`/txs?address=${ada}&pageNum=99999999999999`)).body).toEqual({ pagesTotal: 1, txs: [] })
    expect((await api.get(`/txs?address=${ada}&pageNum=1000000000`)).body).toEqual({ pagesTotal: 1, txs: [] })
    expect((await api.post('/addrs/txs', { addrs: ada, from: 99999999999990, to: 99999999999999 })).body).toEqual([])
    expect((await api.get('/blocks?startTimestamp=999999999999&startHeight=999999999999&date=9999-12-31')).status).toBe(200)
  })

  it('B18: accepts every form of the options that omit members', async () => {
    for (const value of ['1', 'true', '0', 'false'])
      expect((await api.get(`/addrs/${ada}/txs?noAsm=${value}&noSpent=${value}`)).status).toBe(200)
  })
})

describe('B19: heights', () => {
  const OUT_OF_RANGE = 'Block height out of range. Code:-8'
  const NO_INTEGER = 'JSON value is not an integer as expected. Code:-1'

  it.each([
    ['3', OUT_OF_RANGE],
    ['-1', OUT_OF_RANGE],
    ['999999999', OUT_OF_RANGE],
    ['2147483648', OUT_OF_RANGE],
    ['9007199254740993', OUT_OF_RANGE],
    ['010', OUT_OF_RANGE],
    ['1.0', NO_INTEGER],
    ['1e2', NO_INTEGER],
    ['abc', NO_INTEGER],
    ['0x1', NO_INTEGER],
    ['%EF%BC%91', NO_INTEGER],
    ['NaN', NO_INTEGER],
  ])('%s is refused', async (height, detail) => {
    expect(await api.get(`/block-index/${height}`)).toMatchObject({ status: 400, body: { code: 'InvalidHeight', detail } })
  })

  it.each(['0', '2', '2/', '2?x=1'])('%s is one', async (height) => {
    expect((await api.get(`/block-index/${height}`)).body.blockHash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('B20: hashes of blocks', () => {
  it.each(['0', 'x', 'zz', '00'.repeat(31), '00'.repeat(32), '00'.repeat(33), 'zz'.repeat(32), '１'.repeat(64)])(
    '%s is unknown',
    async (hash) => {
      const unknown = { status: 404, body: { code: 'NotFound', detail: 'Not found' } }
      expect(await api.get(`/block/${encodeURIComponent(hash)}`)).toMatchObject(unknown)
      expect(await api.get(`/txs?block=${encodeURIComponent(hash)}`)).toMatchObject(unknown)
    },
  )
})

describe('B31: ids of transactions', () => {
  it('is unknown', async () => {
    expect(await api.get(`/tx/${'0'.repeat(64)}`)).toMatchObject({ status: 404, body: { detail: 'Not found' } })
  })

  it.each([
    ['zz', "parameter 1 must be of length 64 (not 2, for 'zz'). Code:-8"],
    ['z'.repeat(64), `parameter 1 must be hexadecimal string (not '${'z'.repeat(64)}'). Code:-8`],
    ['a'.repeat(65), `parameter 1 must be of length 64 (not 65, for '${'a'.repeat(65)}'). Code:-8`],
    ['é', "parameter 1 must be of length 64 (not 1, for 'é'). Code:-8"],
    ['b'.repeat(6000), `parameter 1 must be of length 64 (not 6000, for '${'b'.repeat(100)}...'). Code:-8`],
  ])('%s is refused', async (hash, detail) => {
    expect(await api.get(`/tx/${encodeURIComponent(hash)}`)).toMatchObject({ status: 400, body: { code: 'InvalidTransactionId', detail } })
  })
})

describe('B32: lists of transactions', () => {
  it.each(['', '?pageNum=0', '?block=', '?address=', '?block=&address='])('requires a block or an address: %s', async (query) => {
    expect(await api.get(`/txs${query}`)).toMatchObject({
      status: 400,
      body: { code: 'MissingParameter', detail: 'Block hash or address expected' },
    })
  })

  it.each(['block=x&block=y', `address=${ada}&address=${ada}`, `address[]=${ada}`])('accepts it only once: %s', async (query) => {
    expect((await api.get(`/txs?${query}`)).status).toBe(400)
  })
})

describe('B24: days', () => {
  it.each(['limit=0', 'limit=-1', 'limit=501', 'limit=1e9', 'limit=abc', 'limit=1&limit=2', 'date=2026-01-01&date=2026-01-02'])(
    'refuses %s',
    async (query) => {
      expect(await api.get(`/blocks?${query}`)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
    },
  )

  it.each(['date=2026-02-30', 'date=2026-1-1', 'date=%202026-01-01x', 'date=10000-01-01', 'blockDate=x', 'date='])(
    'refuses %s',
    async (query) => {
      expect(await api.get(`/blocks?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'InvalidDate', detail: 'Please use yyyy-mm-dd format' },
      })
    },
  )

  it.each(['date=2009-01-03', 'date=9999-12-31', 'date=0001-01-01', 'limit=500', 'startTimestamp=0'])('accepts %s', async (query) => {
    expect((await api.get(`/blocks?${query}`)).status).toBe(200)
  })
})

describe('the rest of list B', () => {
  it('B1: requires a token', async () => {
    for (const path of [`/addr/${ada}`, '/blocks', '/events', `/tx/${'0'.repeat(64)}`])
      expect((await api.call(`/api/v1${path}`, { headers: { authorization: '' } })).status).toBe(401)
  })

  it('B53: answers JSON to a request for a callback', async () => {
    expect((await api.get(`/addr/${ada}/balance?callback=alert`)).text).toBe('3')
  })

  it('B55: answers HEAD without a body', async () => {
    for (const path of [`/addr/${ada}`, '/blocks', '/block-index/0', '/events']) {
      const { status, text } = await api.call(`/api/v1${path}`, { method: 'HEAD' })
      expect({ path, status, text }).toEqual({ path, status: 200, text: '' })
    }
  })

  it('B57: compresses if the client accepts it', async () => {
    const path = `/addrs/${ada}/txs`
    expect((await api.get(path, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip')
    for (const accepted of ['identity', '*;q=0', 'gzip;q=0'])
      expect((await api.get(path, { 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull()
  })

  it('X7: says which methods a path has', async () => {
    const { status, headers } = await api.call(`/api/v1/addr/${ada}`, { method: 'DELETE' })
    expect(status).toBe(405)
    expect(headers.get('allow')).toContain('GET')
  })
})

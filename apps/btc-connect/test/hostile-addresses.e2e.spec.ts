import { getRaw, type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

// Cases of list B that are about addresses. After each of them the next request must work.

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

const LIST_OF_1001 = Array.from({ length: 1001 }, () => ada)

const ADDRESSES = [
  ['not an address', 'bad'],
  ['a checksum that is off by one', `${ada.slice(0, -1)}${ada.endsWith('1') ? '2' : '1'}`],
  ['an address of mainnet', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['a bech32 address of mainnet', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['a bech32 address of testnet', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['an address of Litecoin', 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'],
  ['a cash address', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['bech32 in mixed case', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7KYGT080'],
  ['a witness program of version 17', 'bcrt1330xqzwe5t'],
  ['an address of 91 characters', `bcrt1q${'q'.repeat(85)}`],
  ['a look-alike', `\u043c${ada.slice(1)}`],
  ['an emoji', '🐟'],
  ['a space', '%20'],
  ['SQL', "' OR 1=1 --"],
  ['a path', '..%2f..%2fetc%2fpasswd'],
  ['a template', '{{7*7}}'],
  ['a pattern', '.*'],
  ['five thousand characters', '1'.repeat(5000)],
  ['an array', '["x"]'],
  ['a member of every object', '__proto__'],
] as const

describe.each(ADDRESSES)('B4: %s', (_, address) => {
  it.each(['', '/balance', '/utxo'])('is refused as an address: /addr/…%s', async (rest) => {
    const { status, body } = await api.get(`/addr/${address.includes('%') ? address : encodeURIComponent(address)}${rest}`)
    expect(status).toBe(400)
    expect(body.detail).toMatch(/^(Invalid address: .+\. Code:1|Must include address\. Code:1)$/)
    expect(body.error).toBe(body.detail)
    expect(body.requestId).toBeDefined()
  })

  it('is refused in a list', async () => {
    const addrs = decodeURIComponent(address)
    const { status, body } = await api.post('/addrs/utxo', { addrs: [ada, addrs] })
    // A space is nobody, beside somebody.
    if (addrs.trim() === '') expect(status).toBe(200)
    else expect({ status, code: body.code }).toEqual({ status: 400, code: 'InvalidAddress' })
    expect((await api.get(`/txs?address=${address.includes('%') ? address : encodeURIComponent(address)}`)).status).toBe(400)
  })
})

describe('what cannot be an address', () => {
  it.each(['/addr/%00', `/addr/${ada}%00`, `/txs?address=${ada}%00`, '/tx/%00', '/block/%00', '/addr/%zz', '/addr/%c0%af'])(
    'is refused in a path: %s',
    async (path) => {
      const { status, text } = await getRaw(api.url, `/api/v1${path}`)
      expect(status).toBe(400)
      expect(JSON.parse(text)).toMatchObject({ requestId: expect.any(String) })
    },
  )

  it.each([`/addr/${'1'.repeat(100_000)}`, `/tx/${'a'.repeat(100_000)}`])('is too long', async (path) => {
    const { status } = await getRaw(api.url, `/api/v1${path}`).catch(() => ({ status: 431 }))
    expect([414, 431]).toContain(status)
  })

  it('B50: can be percent-encoded', async () => {
    const escaped = [...ada].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
    expect((await getRaw(api.url, `/api/v1/addr/${escaped}/balance`)).text).toBe('3')
  })

  it.each(['/addr/', '/addr', `/addr/${ada}/foo`, `/addr//${ada}`, `/API/V1/addr/${ada}`, '/block/', '/tx', '/block-index/'])(
    'B12, B51, B52: is no path: %s',
    async (path) => {
      expect((await getRaw(api.url, path.startsWith('/API') ? path : `/api/v1${path}`)).status).toBe(404)
    },
  )
})

describe('B15, B16: lists of addresses', () => {
  it.each([
    ['nothing at all', undefined],
    ['an empty object', {}],
    ['an empty string', { addrs: '' }],
    ['commas', { addrs: ' , ,' }],
    ['an empty array', { addrs: [] }],
  ])('%s has no address', async (_, body) => {
    const missing = { status: 400, body: { code: 'MissingAddress', detail: 'Must include address. Code:1' } }
    expect(await api.post('/addrs/txs', body)).toMatchObject(missing)
    expect(await api.post('/addrs/utxo', body)).toMatchObject(missing)
  })

  it.each([
    ['a number', { addrs: 1 }],
    ['null', { addrs: null }],
    ['an object', { addrs: { 0: ada } }],
    ['an array of numbers', { addrs: [1] }],
    ['an array of arrays', { addrs: [[ada]] }],
    ['an array for the body', [ada]],
    ['a string for the body', '"x"'],
    ['null for the body', 'null'],
  ])('%s is refused', async (_, body) => {
    for (const path of ['/addrs/txs', '/addrs/utxo'])
      expect(await api.post(path, body)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
  })

  it.each([['{'], ['{"addrs":"x","addrs":"y"}'], ['{"__proto__":{"addrs":"x"}}'], ['{"addrs":"\\ud800"}'], ['{"addrs":"a\\u0000"}']])(
    'X44-X48: %s is refused as a body',
    async (body) => {
      expect(await api.post('/addrs/utxo', body)).toMatchObject({ status: 400, body: { code: 'InvalidJson' } })
    },
  )

  it('is bounded, by every path', async () => {
    const tooMany = { status: 400, body: { code: 'TooManyAddresses', detail: 'Maximum number of addresses (1000) exceeded' } }
    expect(await api.post('/addrs/txs', { addrs: LIST_OF_1001 })).toMatchObject(tooMany)
    expect(await api.post('/addrs/utxo', { addrs: LIST_OF_1001.join(',') })).toMatchObject(tooMany)
    expect((await api.post('/addrs/utxo', { addrs: LIST_OF_1001.slice(1) })).body).toHaveLength(3)
    expect((await api.post('/addrs/utxo', { addrs: Array.from({ length: 10_000 }, () => ada) })).status).toBe(400)
    expect(await api.post('/addrs/utxo', { addrs: 'x'.repeat(1024 * 1024) })).toMatchObject({
      status: 413,
      body: { error: 'The body is larger than 1048576 bytes; send less in one request.' },
    })
  })

  it('B53: may have members and parameters that nobody knows', async () => {
    expect((await api.post('/addrs/utxo?callback=x&_=1', { addrs: ada, sort: 'asc', noAsm: 1 })).status).toBe(200)
    expect((await api.get(`/addr/${ada}?callback=x&noTxLst=1`)).status).toBe(200)
  })

  it('B16: is JSON, or a form as Insight accepts it', async () => {
    const post = (type: string, body: string) => api.call('/api/v1/addrs/utxo', { method: 'POST', headers: { 'content-type': type }, body })
    expect((await post('application/x-www-form-urlencoded', `addrs=${ada}`)).status).toBe(200)
    expect((await post('text/plain', `addrs=${ada}`)).status).toBe(415)
  })
})

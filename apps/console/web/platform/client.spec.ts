import { jsonResponse, stubFetch } from '../testing/stub-fetch.js'
import { consoleFetch, platformClient } from './client.js'
import { idempotencyKey } from './idempotency.js'
import { chooseOrganization } from './organization-choice.engine.js'
import { chainsOf } from './use-chains.js'

let stub: ReturnType<typeof stubFetch>
const { location } = globalThis
beforeAll(() => Object.assign(globalThis, { location: { origin: 'https://console.example' } }))
afterAll(() => Object.assign(globalThis, { location }))
afterEach(() => stub?.restore())

describe(consoleFetch, () => {
  it('marks the call, and keeps the headers that it was given', async () => {
    stub = stubFetch(() => jsonResponse({}))
    await consoleFetch('/api/x', { method: 'POST', headers: { accept: 'text/csv' } })
    const [{ headers, method } = { headers: new Headers(), method: '' }] = stub.sent
    expect([method, headers.get('x-trestle-console'), headers.get('accept')]).toEqual(['POST', '1', 'text/csv'])
  })

  it('does not change what the caller holds', async () => {
    stub = stubFetch(() => jsonResponse({}))
    const headers = new Headers({ accept: 'text/csv' })
    await consoleFetch('/api/x', { headers })
    expect([...headers.keys()]).toEqual(['accept'])
  })
})

describe(chooseOrganization, () => {
  const { localStorage } = globalThis
  afterEach(() => Object.assign(globalThis, { localStorage }))

  it('makes calls about the organization, until it is the personal one again', async () => {
    const kept = new Map<string, string>()
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept), removeItem: kept.delete.bind(kept) }
    Object.assign(globalThis, { localStorage: storage })
    stub = stubFetch(() => jsonResponse({}))
    for (const id of ['org-1', undefined]) {
      chooseOrganization(id)
      await consoleFetch('/api/x')
    }
    expect(stub.sent.map(({ headers }) => headers.get('trestle-organization'))).toEqual(['org-1', null])
  })
})

describe('calls that name their organization themselves', () => {
  const { localStorage } = globalThis
  afterEach(() => Object.assign(globalThis, { localStorage }))

  it.each([
    ['/api/accounts/organizations', null],
    ['https://console.example/api/accounts/organizations/org-2/members', null],
    ['/api/accounts/invitations/t0ken', null],
    ['/session', null],
    ['/api/accounts/users/me/client-keys', 'org-1'],
    ['/api/nodes/organizations/org-2/plan', 'org-1'],
    ['/api/nodes/users/me/nodes', 'org-1'],
  ])('are about no chosen one: %s', async (path, expected) => {
    Object.assign(globalThis, { localStorage: { getItem: () => 'org-1' } })
    stub = stubFetch(() => jsonResponse({}))
    await consoleFetch(path)
    expect(stub.sent[0]?.headers.get('trestle-organization')).toBe(expected)
  })
})

describe('platformClient', () => {
  it('calls an area through the console', async () => {
    stub = stubFetch(() => jsonResponse({ code: 'NotFound', detail: 'No such node.' }, 404))
    await expect(platformClient.nodes.nodes.get({ params: { id: 'node-1' } })).rejects.toMatchObject({
      code: 'NotFound',
      detail: 'No such node.',
    })
    expect(stub.sent[0]?.url).toBe('https://console.example/api/nodes/users/me/nodes/node-1')
    expect(stub.sent[0]?.headers.get('x-trestle-console')).toBe('1')
  })

  it('sends no token: the console adds it', async () => {
    stub = stubFetch(() => jsonResponse([]))
    await platformClient.nodes.nodes.list()
    expect(stub.sent[0]?.headers.get('authorization')).toBeNull()
  })

  it('has the same calls for the same chain: what a page shows depends on them', () => {
    expect(platformClient.utxo('ltc')).toBe(platformClient.utxo('ltc'))
    expect(platformClient.evm('eth')).toBe(platformClient.evm('eth'))
    expect(platformClient.utxo('ltc')).not.toBe(platformClient.utxo('btc'))
  })

  it('calls each chain at its own address', async () => {
    stub = stubFetch(() => jsonResponse({ code: 'NotFound', detail: 'No.' }, 404))
    for (const chain of ['btc', 'ltc'])
      await platformClient
        .utxo(chain)
        .blocks.hash({ params: { height: '7' } })
        .catch(() => undefined)
    expect(stub.sent.map(({ url }) => new URL(url).pathname.split('/')[2])).toEqual(['btc', 'ltc'])
  })
})

describe(chainsOf, () => {
  const discovered = [
    { name: 'btc', title: 'Bitcoin', family: 'bitcoin', unit: 'BTC', decimals: 8 },
    { name: 'mychain', title: 'My Chain', family: 'evm', unit: 'MYC', decimals: 18 },
    { name: 'ltc', title: 'Litecoin', family: 'bitcoin', unit: 'LTC', decimals: 8 },
  ]

  it.each([
    ['btc-connect', ['btc', 'ltc']],
    ['eth-rpc', ['mychain']],
    ['nodes', []],
  ] as const)('of %s are those of its family, in the platform’s order', async (area, expected) => {
    stub = stubFetch(() => jsonResponse(discovered))
    expect((await chainsOf(area)).map(({ name }) => name)).toEqual(expected)
    expect(stub.sent[0]?.url).toBe('/api/chains')
  })

  it.each([[{}], [[{ name: 'sol', family: 'solana' }]], [[{ family: 'evm' }]]])('refuses %j', async (answer) => {
    stub = stubFetch(() => jsonResponse(answer))
    await expect(chainsOf('eth-rpc')).rejects.toThrow()
  })
})

describe(idempotencyKey, () => {
  it('is 128 random bits in hexadecimal, and never the same', () => {
    const keys = Array.from({ length: 100 }, idempotencyKey)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

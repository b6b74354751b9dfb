import { eventually } from '@trestle/testing/eventually'
import { EventReader } from './seeded/event-reader.js'
import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { addressTo, SeededChain, scriptOf } from './seeded/seeded-chain.js'

const [ADA, BOB] = [scriptOf('ada'), scriptOf('bob')]
const [ada, bob] = [addressTo(ADA), addressTo(BOB)]

let api: SeededApi
let chain: SeededChain
const open: EventReader[] = []

beforeAll(async () => {
  api = await startSeededApi()
})

beforeEach(async () => {
  chain = new SeededChain()
  for (let i = 0; i < 3; i++) chain.mine({ payTo: { script: ADA, value: 100n } })
  await api.seed(chain)
})

afterEach(async () => {
  for (const reader of open.splice(0)) reader.close()
  api.auth.revoked.clear()
})

afterAll(() => api.stop())

const hex = ({ txid }: { txid: Buffer }) => txid.toString('hex')

async function listen(options?: Parameters<typeof EventReader.open>[1]): Promise<EventReader> {
  const reader = await EventReader.open(api.url, options)
  open.push(reader)
  return reader
}

/** Spends what the block at this height made. */
function payment(height: number, to = BOB) {
  return chain.transaction([{ txid: chain.blocks[height]!.transactions[0]!.txid, vout: 0 }], [{ script: to, value: 99n }])
}

describe('a stream of events', () => {
  it('starts with the block after which it sends events', async () => {
    const reader = await listen()
    const { response } = reader
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(response.headers['content-encoding']).toBeUndefined()
    expect(await reader.next()).toMatchObject({ text: `retry: 2000\nid: ${chain.blocks[2]!.hash.toString('hex')}` })
  })

  it('sends every transaction of the mempool and every block', async () => {
    const reader = await listen()
    await reader.next()
    const transaction = chain.announce(payment(0), 1_700_000_000)
    await api.seed(chain)
    expect(await reader.next()).toEqual({
      event: 'tx',
      data: { txid: hex(transaction), valueOut: 0.00000099, size: transaction.raw.length, time: 1_700_000_000 },
      text: `event: tx\ndata: {"txid":"${hex(transaction)}","valueOut":0.00000099,"size":${transaction.raw.length},"time":1700000000}`,
    })
    chain.mempool.pop()
    const block = chain.mine({ transactions: [transaction] })
    await api.seed(chain)
    expect(await reader.next()).toMatchObject({
      event: 'block',
      id: block.hash.toString('hex'),
      data: {
        hash: block.hash.toString('hex'),
        height: 3,
        previousblockhash: chain.blocks[2]!.hash.toString('hex'),
        time: block.time,
        txlength: 2,
      },
    })
  })

  it('sends payments and spends of its addresses, unconfirmed and confirmed', async () => {
    const reader = await listen({ query: `?address=${ada},${bob}` })
    await reader.next()
    const transaction = chain.announce(payment(0))
    await api.seed(chain)
    const unconfirmed = (address: string) => ({ event: 'address', data: { address, txid: hex(transaction), blockheight: -1 } })
    expect(await reader.several(2)).toEqual(expect.arrayContaining([ada, bob].map((each) => expect.objectContaining(unconfirmed(each)))))
    chain.mempool.pop()
    const block = chain.mine({ transactions: [transaction] })
    await api.seed(chain)
    const [first, ...others] = await reader.several(3)
    expect(first).toMatchObject({ event: 'block', data: { height: 3 } })
    const confirmed = { txid: hex(transaction), blockheight: 3, blockhash: block.hash.toString('hex') }
    expect(others.map(({ data }) => data)).toEqual(expect.arrayContaining([ada, bob].map((address) => ({ address, ...confirmed }))))
  })

  it('sends the requested events only', async () => {
    const [blocks, addresses, others] = await Promise.all([
      listen({ query: '?events=block' }),
      listen({ query: `?address=${bob}&events=address` }),
      listen({ query: `?address=${addressTo(scriptOf('nobody'))}` }),
    ])
    for (const reader of [blocks, addresses, others]) await reader!.next()
    const transaction = chain.announce(payment(0))
    chain.mine()
    await api.seed(chain)
    expect(await blocks!.next()).toMatchObject({ event: 'block', data: { height: 3 } })
    expect(await addresses!.next()).toMatchObject({ event: 'address', data: { address: bob, txid: hex(transaction) } })
    expect(await others!.next()).toMatchObject({ event: 'block', data: { height: 3 } })
  })

  it('sends the blocks of another branch in order', async () => {
    const reader = await listen({ query: '?events=block' })
    await reader.next()
    chain.leave()
    const [third, fourth] = [chain.mine({ tag: 'other' }), chain.mine()]
    await api.seed(chain)
    expect(await reader.several(2)).toMatchObject([
      { id: third.hash.toString('hex'), data: { height: 2, previousblockhash: chain.blocks[1]!.hash.toString('hex') } },
      { id: fourth.hash.toString('hex'), data: { height: 3, previousblockhash: third.hash.toString('hex') } },
    ])
  })

  it('resumes after the last block that was sent, even if it was disconnected', async () => {
    const left = chain.leave()
    const [third, fourth] = [chain.mine({ tag: 'other' }), chain.mine({ transactions: [payment(0)] })]
    await api.seed(chain)
    const again = await listen({ lastEventId: left.hash.toString('hex'), query: `?address=${bob}` })
    expect((await again.several(4)).map(({ event, id }) => event ?? id)).toEqual([left.hash.toString('hex'), 'block', 'block', 'address'])
    const after = await listen({ lastEventId: third.hash.toString('hex') })
    expect((await after.several(2))[1]).toMatchObject({ id: fourth.hash.toString('hex') })
    chain.mine()
    await api.seed(chain)
    expect(await after.next()).toMatchObject({ data: { height: 4 } })
    expect(await again.next()).toMatchObject({ data: { height: 4 } })
  })

  it.each(['x', '0'.repeat(64), '', '1e3'])('starts at the tip for the unknown id %j', async (lastEventId) => {
    const reader = await listen({ lastEventId, query: '?events=block' })
    await reader.next()
    chain.mine()
    await api.seed(chain)
    expect(await reader.next()).toMatchObject({ data: { height: 3 } })
  })

  it('continues after the connection for notifications was lost', async () => {
    const reader = await listen({ query: '?events=block' })
    await reader.next()
    await api.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'btc events'`)
    chain.mine()
    await api.seed(chain)
    expect(await reader.next()).toMatchObject({ data: { height: 3 } })
    chain.mine()
    await api.seed(chain)
    expect(await reader.next()).toMatchObject({ data: { height: 4 } })
  })

  it('ends when the index is rebuilt', async () => {
    const reader = await listen()
    await reader.next()
    const other = new SeededChain()
    other.mine({ tag: 'another genesis' })
    await api.seed(other)
    expect(await reader.next()).toBeUndefined()
  })

  it('ends with its token', async () => {
    const [ended, other] = [await listen({ token: 'eve' }), await listen({ token: 'bob', query: '?events=block' })]
    await Promise.all([ended.next(), other.next()])
    api.auth.revoked.add('eve')
    expect(await ended.next()).toBeUndefined()
    chain.mine()
    await api.seed(chain)
    expect(await other.next()).toMatchObject({ data: { height: 3 } })
  })

  it('is one of at most ten, and makes room when it is closed', async () => {
    const readers = await Promise.all(Array.from({ length: 10 }, () => listen({ token: 'eve' })))
    const refused = await api.call('/api/v1/events', { token: 'eve' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'TooManyStreams' } })
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await listen({ token: 'bob' })).response.statusCode).toBe(200)
    readers[0]!.close()
    await eventually(async () => (await listen({ token: 'eve' })).response.statusCode === 200 || undefined, 'there is room')
  })

  it('is disconnected when nobody reads it', async () => {
    const [idle, busy] = [await listen(), await listen({ query: '?events=block' })]
    await Promise.all([idle.next(), busy.next()])
    idle.response.pause()
    const comment = `:${'x'.repeat(100_000)}\n\n`
    await eventually(async () => {
      for (const stream of api.streams()) stream.send(comment, Date.now())
      const { text } = (await busy.next()) ?? { text: 'the end' }
      expect(text).toHaveLength(comment.length - 2)
      return api.streams().length === 1 || undefined
    }, 'one is cut off')
    chain.mine()
    await api.seed(chain)
    expect(await busy.next()).toMatchObject({ data: { height: 3 } })
  })

  it.each([
    ['?events=blocks', 'InvalidInput'],
    ['?events=', 'InvalidInput'],
    ['?events=block,block&events=tx', 'InvalidInput'],
    ['?address=bad', 'InvalidAddress'],
    ['?address=', 'MissingAddress'],
    ['?address[]=x', 'InvalidInput'],
  ])('is refused with %s', async (query, code) => {
    expect(await api.get(`/events${query}`)).toMatchObject({ status: 400, body: { code } })
  })
  it('tracks at most a hundred addresses', async () => {
    const addresses = Array.from({ length: 101 }, () => ada)
    expect(await api.get(`/events?address=${addresses}`)).toMatchObject({ status: 400, body: { code: 'TooManyAddresses' } })
    expect((await listen({ query: `?address=${addresses.slice(1)}` })).response.statusCode).toBe(200)
  })
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { SeededChain } from './seeded/seeded-chain.js'

const NOON = Date.UTC(2026, 0, 31, 12) / 1000

let api: SeededApi

beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pools-')), 'pools.json')
  writeFileSync(file, JSON.stringify([{ id: 1, name: 'Own <b>', addresses: [], tags: ['/own/'], link: 'https://own.example' }]))
  api = await startSeededApi({ POOLS_FILE: file })
})

afterAll(() => api.stop())

const hex = ({ hash }: { hash: Buffer }) => hash.toString('hex')

describe('a block', () => {
  it('has the specified order of members and formats of numbers', async () => {
    const chain = new SeededChain()
    const genesis = chain.mine()
    const block = chain.mine({ tag: '/own/' })
    const next = chain.mine()
    await api.seed(chain)
    const { text } = await api.get(`/block/${hex(block)}`)
    expect(text).toBe(
      `{"hash":"${hex(block)}","size":${81 + block.transactions[0]!.raw.length},"height":1,"version":536870912,` +
        `"merkleroot":"${Buffer.from(block.header.subarray(36, 68)).reverse().toString('hex')}","tx":["${block.transactions[0]!.txid.toString('hex')}"],` +
        `"time":${block.time},"nonce":${block.header.readUInt32LE(76)},"bits":"207fffff","difficulty":0,"chainwork":"${'4'.padStart(64, '0')}",` +
        `"confirmations":2,"previousblockhash":"${hex(genesis)}","nextblockhash":"${hex(next)}","reward":50,"isMainChain":true,` +
        `"poolInfo":{"poolName":"Own <b>","url":"https://own.example"}}`,
    )
  })

  it('at an end of the chain has one neighbour', async () => {
    const chain = new SeededChain()
    const genesis = chain.mine()
    const tip = chain.mine()
    await api.seed(chain)
    expect((await api.get(`/block/${hex(genesis)}`)).body).toMatchObject({ previousblockhash: null, nextblockhash: hex(tip) })
    expect((await api.get(`/block/${hex(tip).toUpperCase()}`)).body).not.toHaveProperty('nextblockhash')
  })

  it('that was disconnected stays readable', async () => {
    const chain = new SeededChain()
    chain.mine()
    chain.mine()
    const left = chain.leave()
    chain.mine()
    await api.seed(chain)
    const { body } = await api.get(`/block/${hex(left)}`)
    expect(body).toMatchObject({
      hash: hex(left),
      height: 1,
      confirmations: -1,
      isMainChain: false,
      previousblockhash: hex(chain.blocks[0]!),
    })
    expect(body.tx).toEqual([left.transactions[0]!.txid.toString('hex')])
    expect(body).not.toHaveProperty('nextblockhash')
    expect((await api.get(`/txs?block=${hex(left)}`)).status).toBe(404)
  })

  it('pays half after 150 blocks of regtest', async () => {
    const chain = new SeededChain()
    for (let height = 0; height <= 450; height++) chain.mine()
    await api.seed(chain)
    const rewards = await Promise.all([149, 150, 450].map(async (height) => (await api.get(`/block/${hex(chain.blocks[height]!)}`)).text))
    expect(rewards.map((text) => /"reward":([^,]+)/.exec(text)?.[1])).toEqual(['50', '25', '6.25'])
  })

  it('is found by its height', async () => {
    const chain = new SeededChain()
    for (let height = 0; height <= 120; height++) chain.mine()
    await api.seed(chain)
    const old = await api.get('/block-index/20')
    expect(old.text).toBe(`{"blockHash":"${hex(chain.blocks[20]!)}"}`)
    expect(old.headers.get('cache-control')).toBe('private, max-age=86400')
    const recent = await api.get('/block-index/120')
    expect(recent.body).toEqual({ blockHash: hex(chain.blocks[120]!) })
    expect(recent.headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('the blocks of a day', () => {
  it('have their members in the specified order', async () => {
    const chain = new SeededChain()
    chain.mine({ time: NOON })
    const second = chain.mine({ time: NOON + 600, tag: 'Mined by AntPool' })
    await api.seed(chain)
    api.setNow(new Date((NOON + 700) * 1000))
    const { text, headers } = await api.get('/blocks?limit=1')
    expect(text).toBe(
      `{"blocks":[{"height":1,"size":${81 + second.transactions[0]!.raw.length},"hash":"${hex(second)}","time":${NOON + 600},"txlength":1,` +
        `"poolInfo":{"poolName":"AntPool","url":"https://www.antpool.com"}}],"length":1,` +
        `"pagination":{"next":"2026-02-01","prev":"2026-01-30","currentTs":${NOON + 43199},"current":"2026-01-31","isToday":true,"more":true,` +
        `"moreTs":${NOON + 600},"moreHeight":1}}`,
    )
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  it('are those of that day only, from midnight to midnight', async () => {
    const midnight = NOON + 43_200
    const chain = new SeededChain()
    for (const time of [midnight - 86_401, midnight - 86_400, midnight - 1, midnight]) chain.mine({ time })
    await api.seed(chain)
    const heights = async (date: string) =>
      (await api.get(`/blocks?date=${date}`)).body.blocks.map(({ height }: { height: number }) => height)
    expect(await heights('2026-01-30')).toEqual([0])
    expect(await heights('2026-01-31')).toEqual([2, 1])
    expect(await heights('2026-02-01')).toEqual([3])
    expect(await heights('2009-01-03')).toEqual([])
    expect((await api.get('/blocks?blockDate=2026-01-31')).body.length).toBe(2)
  })

  it('are each on one page, even if many have the same time', async () => {
    const chain = new SeededChain()
    for (let height = 0; height < 40; height++) chain.mine({ time: NOON + [0, 0, 5, 3, 3, 3, 3, 9][height % 8]! })
    await api.seed(chain)
    for (const limit of [1, 3, 7, 40]) {
      const found: number[] = []
      let query = `date=2026-01-31&limit=${limit}`
      for (let more = true; more; ) {
        const { body } = await api.get(`/blocks?${query}`)
        found.push(...body.blocks.map(({ height }: { height: number }) => height))
        more = body.pagination.more
        query = `date=2026-01-31&limit=${limit}&startTimestamp=${body.pagination.moreTs}&startHeight=${body.pagination.moreHeight}`
      }
      expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, height) => height))
    }
  })

  it('can be cached once the day is over', async () => {
    const chain = new SeededChain()
    chain.mine({ time: NOON })
    chain.mine({ time: NOON + 3 * 86_400 })
    await api.seed(chain)
    const { headers } = await api.get('/blocks?date=2026-01-31')
    expect(headers.get('cache-control')).toBe('private, max-age=86400')
    expect((await api.get('/blocks?date=2026-02-03')).headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('a response that was read before', () => {
  it('is not sent again while unchanged', async () => {
    const chain = new SeededChain()
    const { hash } = chain.mine()
    await api.seed(chain)
    const path = `/block/${hash.toString('hex')}`
    const { headers } = await api.get(path)
    const tag = headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{20,}"$/)
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await api.get(path, { 'if-none-match': named })
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(tag)
    }
    expect((await api.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    chain.mine()
    await api.seed(chain)
    expect((await api.get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  it('has the same tag for HEAD', async () => {
    const chain = new SeededChain()
    chain.mine()
    await api.seed(chain)
    const { headers } = await api.get('/block-index/0')
    const head = await api.call('/api/v1/block-index/0', { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
  })
})

import { Problem } from '@trestle/problem/problem'
import { findPage } from './search.client.js'
import { searchTerm } from './search-form.js'

const HASH = 'ab'.repeat(32)

describe(searchTerm, () => {
  it.each([
    [' 007 ', { kind: 'height', text: '7' }],
    [HASH.toUpperCase(), { kind: 'hash', text: HASH }],
    ['bc1qxyz', { kind: 'address', text: 'bc1qxyz' }],
    ['bitcoin:bc1qxyz?amount=1', { kind: 'address', text: 'bc1qxyz' }],
    ['1234567890', { kind: 'address', text: '1234567890' }],
    ['  ', undefined],
  ])('takes %j for what it is', (typed, expected) => {
    expect(searchTerm({ text: typed })).toEqual(expected)
  })
})

describe(findPage, () => {
  const missing = new Problem('unknown', 'NotFound', 'Not found')

  it('leads to the block at a height', async () => {
    expect(await findPage(apiOf({ hash: HASH }), { kind: 'height', text: '7' })).toBe(`/block/${HASH}`)
  })

  it('leads to the transaction of a hash', async () => {
    expect(await findPage(apiOf({}), { kind: 'hash', text: HASH })).toBe(`/tx/${HASH}`)
  })

  it('leads to the block of a hash that is no transaction', async () => {
    expect(await findPage(apiOf({ transaction: missing }), { kind: 'hash', text: HASH })).toBe(`/block/${HASH}`)
  })

  it('says so where a hash is neither', async () => {
    await expect(findPage(apiOf({ transaction: missing, block: missing }), { kind: 'hash', text: HASH })).rejects.toBe(missing)
  })

  it('does not take a service that is away for a hash that is none', async () => {
    const away = new Problem('unavailable', 'NotReady', 'Server not yet ready.')
    await expect(findPage(apiOf({ transaction: away }), { kind: 'hash', text: HASH })).rejects.toBe(away)
  })

  it('leads to an address', async () => {
    expect(await findPage(apiOf({}), { kind: 'address', text: 'a/b' })).toBe('/address/a%2Fb')
  })
})

function apiOf({ hash = '', transaction, block }: { hash?: string; transaction?: Problem; block?: Problem }) {
  const answering = (problem: Problem | undefined, answer: unknown) => async () => {
    if (problem) throw problem
    return answer
  }
  return {
    blocks: { hash: answering(undefined, { blockHash: hash }), one: answering(block, {}) },
    transactions: { one: answering(transaction, {}) },
    addresses: { summary: answering(undefined, {}) },
  } as never
}

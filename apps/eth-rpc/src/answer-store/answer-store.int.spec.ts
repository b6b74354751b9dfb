import { setTimeout as delay } from 'node:timers/promises'
import { type EthRpcSchema, ethRpcSchema } from '../../test/eth-rpc-schema.js'
import { resultOf } from '../framing/outcome.js'
import { AnswerStoreRepository, type NewAnswer } from './answer-store.repository.js'

const GENESIS = { chainId: 1, genesis: `0x${'11'.repeat(32)}` }
const ANCHOR = { number: 0, hash: GENESIS.genesis }
const MIB = 1024 * 1024

let schema: EthRpcSchema
let repository: AnswerStoreRepository
let chain: string
beforeAll(async () => {
  schema = await ethRpcSchema()
})
afterAll(() => schema.drop())
beforeEach(async () => {
  await schema.pool.query('TRUNCATE stored_answer, stored_chain, distrusted_upstream')
  repository = new AnswerStoreRepository(schema.pool)
  await repository.addChain({ ...GENESIS, anchor: ANCHOR })
  chain = (await repository.findChain(GENESIS))?.id ?? ''
})

describe(AnswerStoreRepository, () => {
  it('finds what was added, byte for byte', async () => {
    const json = Buffer.from('{"b":1.0, "a":"\u00e9\\u0000\\"\\\\"}\n')
    const answers = [
      answer('a1', { outcome: { member: 'result', json, by: ['n1', 'n2'] } }),
      answer('a2', { outcome: { member: 'error', json: Buffer.from('{"code":3}'), by: undefined } }),
    ]
    expect(await repository.add(chain, answers)).toBe(true)
    const found = await repository.list([nameOf('a1'), nameOf('a2'), nameOf('a3')])
    expect([...found]).toEqual(answers.map(({ name, outcome, mac }) => [name, { outcome, mac }]))
  })

  it('adds an answer once, and of a chain that is gone nothing', async () => {
    await repository.add(chain, [answer('a1')])
    expect(await repository.add(chain, [answer('a1', { outcome: resultOf('other') })])).toBe(true)
    expect((await repository.list([nameOf('a1')])).get(nameOf('a1'))?.outcome.json.toString()).toBe('"a1"')
    await repository.removeChain(chain)
    expect(await repository.add(chain, [answer('a2')])).toBe(false)
    expect(await repository.list([nameOf('a2')])).toEqual(new Map())
  })

  it('removes answers', async () => {
    await repository.add(chain, [answer('a1'), answer('a2')])
    await repository.remove([nameOf('a1')])
    expect([...(await repository.list([nameOf('a1'), nameOf('a2')])).keys()]).toEqual([nameOf('a2')])
  })

  it('shows nothing that an upstream answered before it was found to lie, also where it is added later', async () => {
    const by = (...names: string[]) => ({ outcome: { ...resultOf(1), by: names } })
    await repository.add(chain, [answer('a1', by('liar', 'other')), answer('a2', by('other')), answer('a3')])
    await repository.distrust('liar')
    await delay(5)
    await repository.add(chain, [answer('a4', { ...by('liar'), ageMs: 1_000 }), answer('a5', { ...by('liar'), ageMs: 0 })])
    const found = await repository.list(['a1', 'a2', 'a3', 'a4', 'a5'].map(nameOf))
    expect([...found.keys()].sort()).toEqual(['a2', 'a3', 'a5'].map(nameOf))
  })

  it('has one anchor a chain, which only rises, however many begin', async () => {
    await repository.raiseAnchor(chain, { number: 9, hash: '0x9' })
    await repository.raiseAnchor(chain, { number: 5, hash: '0x5' })
    await Promise.all(Array.from({ length: 5 }, () => repository.addChain({ ...GENESIS, anchor: ANCHOR })))
    expect(await repository.findChain(GENESIS)).toEqual({ ...GENESIS, id: chain, anchor: { number: 9, hash: '0x9' } })
    expect(await repository.findChain({ ...GENESIS, chainId: 2 })).toBeUndefined()
  })

  it('stays within its size, of which the oldest go', async () => {
    const maxBytes = 4 * MIB
    // Hardly shrinks.
    const json = () => Buffer.from(JSON.stringify(Array.from({ length: 2_000 }, () => Math.random())))
    for (let batch = 0; batch < 60; batch++) {
      expect(await repository.makeRoom(maxBytes)).toBe(true)
      await repository.add(
        chain,
        Array.from({ length: 8 }, (_, index) => answer(`${batch} ${index}`, { outcome: { member: 'result', json: json() } })),
      )
      // By no more than a batch.
      expect(await repository.size()).toBeLessThan(maxBytes + MIB)
    }
    expect(await repository.size()).toBeGreaterThan(2 * MIB)
    expect((await repository.list([nameOf('59 0')])).size).toBe(1)
    expect((await repository.list([nameOf('0 0')])).size).toBe(0)
  })

  it('moves on once where many processes find it full, and not while somebody reads all of it', async () => {
    const segment = async () => (await schema.pool.query('SELECT segment FROM stored_answer_ring')).rows[0].segment
    const before = await segment()
    const moved = await Promise.all(Array.from({ length: 3 }, () => repository.makeRoom(1)))
    expect(await segment()).toBe((before + moved.filter(Boolean).length) % 4)
    const dump = await schema.pool.connect()
    await dump.query('BEGIN')
    await dump.query('SELECT FROM stored_answer LIMIT 1')
    const during = await segment()
    expect(await repository.makeRoom(1)).toBe(false)
    await dump.query('COMMIT')
    dump.release()
    expect(await segment()).toBe(during)
  })
})

/** A name that is read easily, as those are written. */
function nameOf(text: string): string {
  return Buffer.from(text.padEnd(16)).toString('hex')
}

function answer(text: string, more: Partial<NewAnswer> = {}): NewAnswer {
  return { name: nameOf(text), outcome: { ...resultOf(text), by: undefined }, mac: Buffer.alloc(16, 7), ageMs: 0, ...more }
}

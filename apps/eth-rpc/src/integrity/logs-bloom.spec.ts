import fc from 'fast-check'
import { bloomOf, mayMatch, parseBloom } from './logs-bloom.js'

const ADDRESS = '0x0f572e5295c57f15886f9b263e2f6d2d6c7b5ec6'
const TOPIC = `0x${'ab'.repeat(32)}`
const bloom = parseBloom(bloomOf([{ address: ADDRESS, topics: [TOPIC] }]))!

describe(mayMatch, () => {
  it.each([
    ['the address', { addresses: new Set([ADDRESS]), topics: [] }, true],
    ['one of several addresses', { addresses: new Set([`0x${'1'.repeat(40)}`, ADDRESS]), topics: [] }, true],
    ['the topic', { topics: [undefined, new Set([TOPIC])] }, true],
    ['anything', { topics: [] }, true],
    ['another address', { addresses: new Set([`0x${'1'.repeat(40)}`]), topics: [] }, false],
    ['the address with another topic', { addresses: new Set([ADDRESS]), topics: [new Set([`0x${'1'.repeat(64)}`])] }, false],
  ])('compares a bloom with %s', (_, criteria, expected) => {
    expect(mayMatch(bloom, criteria)).toBe(expected)
  })

  it('is false for a block without logs', () => {
    expect(mayMatch(Buffer.alloc(256), { topics: [] })).toBe(false)
  })

  it('never denies a log that is there', () => {
    const address = fc.stringMatching(/^0x[0-9a-f]{40}$/)
    const topic = fc.stringMatching(/^0x[0-9a-f]{64}$/)
    const log = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) })
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 30 }), fc.nat(), (logs, which) => {
        const one = logs[which % logs.length]!
        const criteria = { addresses: new Set([one.address]), topics: one.topics.map((each) => new Set([each])) }
        expect(mayMatch(parseBloom(bloomOf(logs))!, criteria)).toBe(true)
      }),
    )
  })
})

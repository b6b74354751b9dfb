import { HeldAnswers } from './held-answers.js'

describe(HeldAnswers, () => {
  it('has those that were asked before a time, the oldest first', () => {
    const held = new HeldAnswers(10)
    for (const askedAt of [1, 2, 3]) held.add(`key ${askedAt}`, { name: String(askedAt), askedAt })
    expect([...held.due(2)].map(([key]) => key)).toEqual(['key 1', 'key 2'])
  })

  it('lets one that was asked again wait again, and does not remove it for the former', () => {
    const held = new HeldAnswers(10)
    const former = { name: 'a', askedAt: 1 }
    held.add('key', former)
    held.add('key', { name: 'a', askedAt: 5 })
    held.remove('key', former)
    expect([...held.due(4)]).toEqual([])
    expect([...held.due(5)]).toEqual([['key', { name: 'a', askedAt: 5 }]])
  })

  it('takes no more than its limit', () => {
    const held = new HeldAnswers(2)
    expect(['a', 'b', 'c', 'a'].map((key) => held.add(key, { name: key, askedAt: 0 }))).toEqual([true, true, false, true])
    held.clear()
    expect(held.size).toBe(0)
  })
})

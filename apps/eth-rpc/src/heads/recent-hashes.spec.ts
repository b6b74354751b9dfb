import { RecentHashes } from './recent-hashes.js'

describe(RecentHashes, () => {
  it('remembers the newest hashes only', () => {
    const hashes = new RecentHashes(2)
    expect(['a', 'b', 'a', 'c', 'a', 'd', 'e'].map((hash) => hashes.add(hash))).toEqual([true, true, false, true, false, true, true])
    expect(hashes.add('a')).toBe(true)
    expect(hashes.add('e')).toBe(false)
  })
})

import { RecentHashes } from './recent-hashes.js'

describe(RecentHashes, () => {
  it('knows what it was told, for as long as not too much came since', () => {
    const hashes = new RecentHashes(2)
    expect(['a', 'b', 'a', 'c', 'a', 'd', 'e'].map((hash) => hashes.add(hash))).toEqual([true, true, false, true, false, true, true])
    expect(hashes.add('a')).toBe(true)
    expect(hashes.add('e')).toBe(false)
  })
})

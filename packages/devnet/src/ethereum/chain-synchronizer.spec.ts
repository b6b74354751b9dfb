import { leaderOf } from './chain-synchronizer.js'
import { EthereumRpc } from './ethereum-rpc.js'

describe(leaderOf, () => {
  const url = 'http://127.0.0.1:8545'
  const [a, b, c] = [3, 5, 5].map((height) => ({ node: new EthereumRpc(url), height }))
  const nodes = [a, b, c].filter((sight) => sight !== undefined)

  it('is who led before, else the first of those that are furthest', () => {
    expect(leaderOf(nodes, a?.node)).toBe(a)
    expect(leaderOf(nodes)).toBe(b)
    expect(leaderOf([])).toBeUndefined()
  })

  it('is not who came back in the place of the leader', () => {
    expect(leaderOf(nodes, new EthereumRpc(url))).toBe(b)
  })
})

import { Peers } from './peers.js'

describe(Peers, () => {
  it('counts itself and whoever was heard lately', () => {
    const peers = new Peers()
    peers.heard('a', 0)
    peers.heard('b', 3000)
    peers.heard('b', 4000)
    expect(peers.count()).toBe(3)
    peers.forgetSilent(5001)
    expect(peers.count()).toBe(2)
  })

  it('keeps everybody it knew while nobody can be heard', () => {
    const peers = new Peers()
    peers.heard('a', 0)
    peers.keepAll(60_000)
    peers.forgetSilent(61_000)
    expect(peers.count()).toBe(2)
  })
})

import { Peers } from './peers.js'

describe(Peers, () => {
  it('counts itself and every process heard from recently', () => {
    const peers = new Peers()
    peers.hear('a', 0)
    peers.hear('b', 3000)
    peers.hear('b', 4000)
    expect(peers.count()).toBe(3)
    peers.forgetSilent(5001)
    expect(peers.count()).toBe(2)
  })

  it('keeps every known process while none can be heard', () => {
    const peers = new Peers()
    peers.hear('a', 0)
    peers.keepAll(60_000)
    peers.forgetSilent(61_000)
    expect(peers.count()).toBe(2)
  })

  it('counts no more than a thousand, whatever names are made up', () => {
    const peers = new Peers()
    for (let i = 0; i < 5_000; i++) peers.hear(`made-up-${i}`, 0)
    expect(peers.count()).toBe(1_001)
    peers.hear('made-up-0', 6_000)
    peers.forgetSilent(6_000)
    expect(peers.count()).toBe(2)
  })
})

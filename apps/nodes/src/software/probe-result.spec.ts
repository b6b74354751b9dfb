import fc from 'fast-check'
import type { Blueprint } from '../catalogue/blueprint.js'
import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import { notReadyResult, probeCallsFor, probeResultOf } from './probe-result.js'

describe(probeCallsFor, () => {
  it('asks the Bitcoin family for chain and peers, and an EVM chain for its progress', () => {
    expect(probeCallsFor(mainnet('btc')).map(({ method }) => method)).toEqual(['getblockchaininfo', 'getnetworkinfo'])
    expect(probeCallsFor(mainnet('eth')).map(({ method }) => method)).toEqual(['eth_syncing', 'eth_blockNumber', 'net_peerCount'])
  })
})

describe(probeResultOf, () => {
  it('counts a node that lags a few blocks as synced', () => {
    expect(probeResultOf(mainnet('btc'), bitcoin({ blocks: 98 }))).toEqual({ height: 98, lag: 2, progress: 0.5, peers: 8, synced: true })
    expect(probeResultOf(mainnet('btc'), bitcoin({ blocks: 97 })).synced).toBe(false)
    expect(probeResultOf(mainnet('ltc'), bitcoin({ blocks: 96 })).synced).toBe(true)
    expect(probeResultOf(mainnet('eth'), evm(70)).synced).toBe(true)
    expect(probeResultOf(mainnet('eth'), evm(69))).toEqual({ height: 69, lag: 31, progress: 0.69, peers: 3, synced: false })
  })

  it('does not count a node as synced before it knows the headers', () => {
    expect(probeResultOf(mainnet('btc'), bitcoin({ blocks: 0, headers: 0, initialblockdownload: true }))).toMatchObject({
      lag: 0,
      synced: false,
    })
    expect(probeResultOf(mainnet('eth'), [false, '0x0', '0x0'])).toMatchObject({ lag: 0, progress: 0, synced: false })
    expect(probeResultOf(mainnet('eth'), [false, '0x10', undefined])).toMatchObject({ height: 16, progress: 1, synced: true })
  })

  it('counts a private chain as synced as soon as it answers', () => {
    const regtest = { ...mainnet('btc'), network: 'regtest' }
    expect(probeResultOf(regtest, bitcoin({ blocks: 0, headers: 9, initialblockdownload: true }))).toMatchObject({
      progress: 1,
      synced: true,
    })
    expect(probeResultOf({ ...mainnet('eth'), network: 'dev' }, [false, '0x0', undefined])).toMatchObject({ progress: 1, synced: true })
  })

  it.each([
    ['nothing', []],
    ['a height that is none', bitcoin({ blocks: -1 })],
    ['a height that is no number', bitcoin({ blocks: '7' })],
    ['a fraction of a block', bitcoin({ headers: 0.5 })],
    ['an answer of another family', evm(3)],
  ])('refuses %s', (_, answers) => {
    expect(() => probeResultOf(mainnet('btc'), answers)).toThrow(expect.objectContaining({ name: 'ZodError' }))
  })

  it('refuses invalid and too large quantities', () => {
    for (const height of ['0x', '10', '0xg', '0x100000000000000', 16, null]) {
      expect(() => probeResultOf(mainnet('eth'), [false, height, undefined])).toThrow(expect.objectContaining({ name: 'ZodError' }))
    }
  })

  it('keeps lag and progress in bounds, whatever the answer', () => {
    const count = fc.nat({ max: 10 ** 7 })
    const answers = fc.record({
      blocks: count,
      headers: count,
      verificationprogress: fc.double({ noNaN: true, noDefaultInfinity: true }),
      initialblockdownload: fc.boolean(),
    })
    fc.assert(
      fc.property(answers, (chain) => {
        const { lag, progress } = probeResultOf(mainnet('btc'), bitcoin(chain))
        return lag >= 0 && progress >= 0 && progress <= 1
      }),
    )
  })
})

describe(notReadyResult, () => {
  it('passes on the message', () => {
    expect(notReadyResult('Loading block index…')).toMatchObject({ synced: false, warmingUp: 'Loading block index…' })
  })
})

function mainnet(image: 'btc' | 'ltc' | 'eth'): Blueprint {
  return findByImage(builtInCatalogue('kubernetes'), image, 'standard')!
}

function bitcoin(more: object): unknown[] {
  return [{ blocks: 100, headers: 100, verificationprogress: 0.5, initialblockdownload: false, ...more }, { connections: 8 }]
}

function evm(height: number): unknown[] {
  const quantity = `0x${height.toString(16)}`
  return [{ startingBlock: '0x0', currentBlock: quantity, highestBlock: '0x64' }, quantity, '0x3']
}

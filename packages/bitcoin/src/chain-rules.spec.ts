import { CHAIN_NETWORKS } from '../test/arbitraries.js'
import { bytes } from '../test/vectors.js'
import { hashOfHeader, workOf } from './block.js'
import { chainRules } from './chain-rules.js'

// chainparams.cpp of Dogecoin Core and of Dash Core: time, bits and nonce.
const GENESIS_MERKLE_ROOTS = {
  doge: '5b2a3f53f605d62c53e62932dac6925e3d74afa5a4b459745c36d42d0ed26a69',
  dash: 'e0028eb9648db56b1ac77cf090b99048a8007e2bb64b68f092c03c7f56a662c7',
}
const GENESIS_HEADERS = [
  ['doge', 'mainnet', [1386325540, 0x1e0ffff0, 99943]],
  ['doge', 'testnet', [1391503289, 0x1e0ffff0, 997879]],
  ['doge', 'regtest', [1296688602, 0x207fffff, 2]],
  ['dash', 'mainnet', [1390095618, 0x1e0ffff0, 28917698]],
  ['dash', 'testnet', [1390666206, 0x1e0ffff0, 3861367235]],
  ['dash', 'regtest', [1417713337, 0x207fffff, 1096447]],
] as const

describe(chainRules, () => {
  it('knows every network of every chain', () => {
    const rules = CHAIN_NETWORKS.map(([coin, network]) => chainRules(coin, network))
    expect(rules.map(({ insightNetwork, nodeChain }) => `${insightNetwork} ${nodeChain}`).slice(0, 5)).toEqual([
      'livenet main',
      'testnet test',
      'testnet testnet4',
      'testnet signet',
      'regtest regtest',
    ])
    expect(new Set(rules.flatMap(({ bech32Prefix, cashPrefix }) => bech32Prefix ?? cashPrefix ?? [])).size).toBe(9)
  })

  it.each(['bch', 'ltc'] as const)('refuses a signet of %s', (coin) => {
    expect(() => chainRules(coin, 'signet')).toThrow(`${coin} has no signet.`)
  })

  it.each(CHAIN_NETWORKS)('gives %s %s a limit that its own genesis block keeps', (coin, network) => {
    const { powLimit, genesisHash } = chainRules(coin, network)
    expect(workOf(GENESIS_BITS[`${coin} ${network}`] ?? 0x1d00ffff)).toBeGreaterThanOrEqual((1n << 256n) / (powLimit + 1n))
    expect(genesisHash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('tells Bitcoin from Bitcoin Cash by the block after the last they share', () => {
    const [btc, bch] = [chainRules('btc', 'mainnet'), chainRules('bch', 'mainnet')]
    expect(btc.genesisHash).toBe(bch.genesisHash)
    expect(btc.forkBlock?.height).toBe(bch.forkBlock?.height)
    expect(btc.forkBlock?.hash).not.toBe(bch.forkBlock?.hash)
  })

  it('has the genesis hash of its genesis header', () => {
    const header =
      '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a'
    const nonces = { mainnet: '29ab5f49ffff001d1dac2b7c', testnet: 'dae5494dffff001d1aa4ae18', regtest: 'dae5494dffff7f2002000000' }
    for (const [network, rest] of Object.entries(nonces))
      expect(hashOfHeader(bytes(header + rest), 'btc').toString('hex')).toBe(chainRules('btc', network as keyof typeof nonces).genesisHash)
    expect(hashOfHeader(bytes(TESTNET4_GENESIS), 'btc').toString('hex')).toBe(chainRules('btc', 'testnet4').genesisHash)
  })

  it.each(GENESIS_HEADERS)('has the genesis hash of the genesis header of %s %s', (coin, network, header) => {
    expect(hashOfHeader(genesisHeader(coin, header), coin).toString('hex')).toBe(chainRules(coin, network).genesisHash)
  })
})

function genesisHeader(coin: 'doge' | 'dash', [time, bits, nonce]: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(80)
  header.writeInt32LE(1)
  Buffer.from(GENESIS_MERKLE_ROOTS[coin], 'hex').reverse().copy(header, 36)
  header.writeUInt32LE(time, 68)
  header.writeUInt32LE(bits, 72)
  header.writeUInt32LE(nonce, 76)
  return header
}

// BIP 94.
const TESTNET4_GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000004e7b2b9128fe0291db0693af2ae418b767e657cd407e80cb1434221eaea7a07a046f3566ffff001dbb0c7817'

const GENESIS_BITS: Record<string, number> = {
  'btc signet': 0x1e0377ae,
  'btc regtest': 0x207fffff,
  'bch regtest': 0x207fffff,
  'ltc mainnet': 0x1e0ffff0,
  'ltc testnet': 0x1e0ffff0,
  'ltc regtest': 0x207fffff,
  'doge mainnet': 0x1e0ffff0,
  'doge testnet': 0x1e0ffff0,
  'doge regtest': 0x207fffff,
  'dash mainnet': 0x1e0ffff0,
  'dash testnet': 0x1e0ffff0,
  'dash regtest': 0x207fffff,
}

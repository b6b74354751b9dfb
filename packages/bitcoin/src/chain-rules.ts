export type Coin = 'btc' | 'bch' | 'ltc'
export type Network = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'

/** What tells one chain from another: everything the parsers, the address forms and the indexer ask about a network. */
export interface ChainRules {
  readonly coin: Coin
  readonly network: Network
  readonly genesisHash: string
  /** A block only this chain has, where the genesis block is shared with another one. */
  readonly forkBlock?: Checkpoint
  readonly pubKeyHashVersion: number
  /** All are accepted, the first is printed. */
  readonly scriptHashVersions: readonly number[]
  readonly bech32Prefix?: string
  readonly cashPrefix?: string
  /** BIP 32: what makes `xpub` or `tpub` of an extended public key. */
  readonly extendedKeyVersion: number
  readonly halvingInterval: number
  readonly powLimit: bigint
  readonly insightNetwork: 'livenet' | 'testnet' | 'regtest'
  /** `chain` of the node's getblockchaininfo. */
  readonly nodeChain: string
  /** BIP 30: coinbases that a later one with the same txid overwrote while unspent; their outputs are gone for ever. */
  readonly overwrittenCoinbases: readonly OverwrittenCoinbase[]
}

export interface Checkpoint {
  readonly height: number
  readonly hash: string
}

export interface OverwrittenCoinbase {
  readonly height: number
  readonly txid: string
}

export function chainRules(coin: Coin, network: Network): ChainRules {
  const own = OWN[coin][network]
  if (!own) throw new Error(`${coin} has no ${network}.`)
  return { coin, network, ...NETWORKS[network], ...COINS[coin], ...own }
}

type Own = Pick<ChainRules, 'genesisHash' | 'pubKeyHashVersion' | 'scriptHashVersions'> & Partial<ChainRules>

const XPUB = 0x0488b21e
const TPUB = 0x043587cf

const NETWORKS = {
  mainnet: { insightNetwork: 'livenet', nodeChain: 'main', extendedKeyVersion: XPUB },
  // The third test network of Bitcoin and Bitcoin Cash, the fourth of Litecoin: what their nodes call test.
  testnet: { insightNetwork: 'testnet', nodeChain: 'test', extendedKeyVersion: TPUB },
  // BIP 94.
  testnet4: { insightNetwork: 'testnet', nodeChain: 'testnet4', extendedKeyVersion: TPUB },
  signet: { insightNetwork: 'testnet', nodeChain: 'signet', extendedKeyVersion: TPUB },
  regtest: { insightNetwork: 'regtest', nodeChain: 'regtest', extendedKeyVersion: TPUB },
} as const

const COINS = {
  btc: { halvingInterval: 210_000, powLimit: (1n << 224n) - 1n, overwrittenCoinbases: [] },
  bch: { halvingInterval: 210_000, powLimit: (1n << 224n) - 1n, overwrittenCoinbases: [] },
  ltc: { halvingInterval: 840_000, powLimit: (1n << 236n) - 1n, overwrittenCoinbases: [] },
} as const

const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
const BITCOIN_TESTNET_GENESIS = '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'
const BITCOIN_REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'

// BIP 30: repeated at 91880 and 91842. Both chains have them, for they parted at 478558.
const OVERWRITTEN = [
  { height: 91_722, txid: 'e3bf3d07d4b0375638d5f1db5255fe07ba2c4cb067cd81b84ee974b6585fb468' },
  { height: 91_812, txid: 'd5d27987d2a3dfc724e359870c6644b40e497bdc0589a033220fe15429d88599' },
]

const MAINNET_VERSIONS = { pubKeyHashVersion: 0, scriptHashVersions: [5] }
const TEST_VERSIONS = { pubKeyHashVersion: 111, scriptHashVersions: [196] }
const REGTEST_RULES = { halvingInterval: 150, powLimit: (1n << 255n) - 1n }

const OWN: Record<Coin, Partial<Record<Network, Own>>> = {
  btc: {
    mainnet: {
      ...MAINNET_VERSIONS,
      genesisHash: BITCOIN_GENESIS,
      forkBlock: { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
      bech32Prefix: 'bc',
      overwrittenCoinbases: OVERWRITTEN,
    },
    testnet: { ...TEST_VERSIONS, genesisHash: BITCOIN_TESTNET_GENESIS, bech32Prefix: 'tb' },
    testnet4: {
      ...TEST_VERSIONS,
      genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
      bech32Prefix: 'tb',
    },
    signet: {
      ...TEST_VERSIONS,
      genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      bech32Prefix: 'tb',
      powLimit: 0x377aen << 216n,
    },
    regtest: { ...TEST_VERSIONS, ...REGTEST_RULES, genesisHash: BITCOIN_REGTEST_GENESIS, bech32Prefix: 'bcrt' },
  },
  bch: {
    mainnet: {
      ...MAINNET_VERSIONS,
      genesisHash: BITCOIN_GENESIS,
      forkBlock: { height: 478_559, hash: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec' },
      cashPrefix: 'bitcoincash',
      overwrittenCoinbases: OVERWRITTEN,
    },
    testnet: {
      ...TEST_VERSIONS,
      genesisHash: BITCOIN_TESTNET_GENESIS,
      forkBlock: { height: 1_155_876, hash: '00000000000e38fef93ed9582a7df43815d5c2ba9fd37ef70c9a0ea4a285b8f5' },
      cashPrefix: 'bchtest',
    },
    regtest: { ...TEST_VERSIONS, ...REGTEST_RULES, genesisHash: BITCOIN_REGTEST_GENESIS, cashPrefix: 'bchreg' },
  },
  ltc: {
    // The second script hash version is the one Litecoin shared with Bitcoin until 2017.
    mainnet: {
      genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
      pubKeyHashVersion: 48,
      scriptHashVersions: [50, 5],
      bech32Prefix: 'ltc',
    },
    testnet: {
      genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
      pubKeyHashVersion: 111,
      scriptHashVersions: [58, 196],
      bech32Prefix: 'tltc',
    },
    regtest: {
      ...REGTEST_RULES,
      genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
      pubKeyHashVersion: 111,
      scriptHashVersions: [58, 196],
      bech32Prefix: 'rltc',
    },
  },
}

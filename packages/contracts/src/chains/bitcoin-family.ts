import type { BitcoinNetwork, BitcoinRecord } from './chain.js'

// The chains of the Bitcoin family. Append: a chain's port follows from its place.

const COIN = 100_000_000n
const XPUB = 0x0488b21e
const TPUB = 0x043587cf
const POW_LIMIT_224 = (1n << 224n) - 1n
const POW_LIMIT_236 = (1n << 236n) - 1n

const MAINNET = { insightNetwork: 'livenet', nodeChain: 'main', extendedKeyVersion: XPUB, overwrittenCoinbases: [] } as const
// The third test network of Bitcoin and Bitcoin Cash, the fourth of Litecoin: what their nodes call test.
const TESTNET = { insightNetwork: 'testnet', nodeChain: 'test', extendedKeyVersion: TPUB, overwrittenCoinbases: [] } as const
const REGTEST = {
  insightNetwork: 'regtest',
  nodeChain: 'regtest',
  extendedKeyVersion: TPUB,
  overwrittenCoinbases: [],
  powLimit: (1n << 255n) - 1n,
} as const

const BITCOIN_SUBSIDY = { first: 50n * COIN, interval: 210_000 }
const LITECOIN_SUBSIDY = { first: 50n * COIN, interval: 840_000 }
// The first 145,000 blocks drew lots; this is what they created on average.
const DOGECOIN_SUBSIDY = { first: 500_000n * COIN, interval: 100_000, floor: 10_000n * COIN }
// The emission since difficulty reached its bound in 2014; what the treasury holds back of it is not taken off.
const DASH_SUBSIDY = { first: 5n * COIN, interval: 210_240, lessAnNth: 14n }
const REGTEST_INTERVAL = 150

const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
const BITCOIN_TESTNET_GENESIS = '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'

const BITCOIN_MAINNET = {
  ...MAINNET,
  genesisHash: BITCOIN_GENESIS,
  pubKeyHashVersion: 0,
  scriptHashVersions: [5],
  subsidy: BITCOIN_SUBSIDY,
  powLimit: POW_LIMIT_224,
  // BIP 30: repeated at 91880 and 91842. Both chains have them, for they parted at 478558.
  overwrittenCoinbases: [
    { height: 91_722, txid: 'e3bf3d07d4b0375638d5f1db5255fe07ba2c4cb067cd81b84ee974b6585fb468' },
    { height: 91_812, txid: 'd5d27987d2a3dfc724e359870c6644b40e497bdc0589a033220fe15429d88599' },
  ],
} satisfies BitcoinNetwork

const BITCOIN_TESTNET = {
  ...TESTNET,
  genesisHash: BITCOIN_TESTNET_GENESIS,
  pubKeyHashVersion: 111,
  scriptHashVersions: [196],
  subsidy: BITCOIN_SUBSIDY,
  powLimit: POW_LIMIT_224,
} satisfies BitcoinNetwork

const BITCOIN_REGTEST = {
  ...REGTEST,
  genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  pubKeyHashVersion: 111,
  scriptHashVersions: [196],
  subsidy: { ...BITCOIN_SUBSIDY, interval: REGTEST_INTERVAL },
} satisfies BitcoinNetwork

export const BITCOIN_FAMILY = {
  btc: {
    title: 'Bitcoin',
    isDefault: true,
    unit: 'BTC',
    decimals: 8,
    blockSeconds: 600,
    explorer: 'https://mempool.space',
    colour: '#f7931a',
    nodes: { images: ['btc', 'btctestnet'], maxLagBlocks: 2 },
    daemon: 'bitcoind',
    cli: 'bitcoin-cli',
    standIn: 'ltc',
    format: { witness: true, anchors: true, blockHash: 'sha256d' },
    networks: {
      mainnet: {
        ...BITCOIN_MAINNET,
        forkBlock: { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
        bech32Prefix: 'bc',
      },
      testnet: { ...BITCOIN_TESTNET, bech32Prefix: 'tb' },
      // BIP 94.
      testnet4: {
        ...BITCOIN_TESTNET,
        nodeChain: 'testnet4',
        genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
        bech32Prefix: 'tb',
      },
      signet: {
        ...BITCOIN_TESTNET,
        nodeChain: 'signet',
        genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
        bech32Prefix: 'tb',
        powLimit: 0x377aen << 216n,
      },
      regtest: { ...BITCOIN_REGTEST, bech32Prefix: 'bcrt' },
    },
  },
  bch: {
    title: 'Bitcoin Cash',
    isDefault: true,
    unit: 'BCH',
    decimals: 8,
    blockSeconds: 600,
    explorer: 'https://blockchair.com/bitcoin-cash',
    colour: '#0ac18e',
    nodes: { images: ['bch', 'bchtestnet'], maxLagBlocks: 2 },
    daemon: 'bitcoin-cash-node',
    cli: 'bitcoin-cli',
    format: { cash: true, blockHash: 'sha256d' },
    networks: {
      mainnet: {
        ...BITCOIN_MAINNET,
        forkBlock: { height: 478_559, hash: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec' },
        cashPrefix: 'bitcoincash',
      },
      testnet: {
        ...BITCOIN_TESTNET,
        forkBlock: { height: 1_155_876, hash: '00000000000e38fef93ed9582a7df43815d5c2ba9fd37ef70c9a0ea4a285b8f5' },
        cashPrefix: 'bchtest',
      },
      regtest: { ...BITCOIN_REGTEST, cashPrefix: 'bchreg' },
    },
  },
  ltc: {
    title: 'Litecoin',
    isDefault: true,
    unit: 'LTC',
    decimals: 8,
    blockSeconds: 150,
    explorer: 'https://litecoinspace.org',
    colour: '#345d9d',
    nodes: { images: ['ltc', 'ltctestnet'], maxLagBlocks: 4 },
    daemon: 'litecoind',
    cli: 'litecoin-cli',
    format: { witness: true, mweb: true, blockHash: 'sha256d', workHash: 'scrypt' },
    networks: {
      // The second script hash version is the one Litecoin shared with Bitcoin until 2017.
      mainnet: {
        ...MAINNET,
        genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
        pubKeyHashVersion: 48,
        scriptHashVersions: [50, 5],
        bech32Prefix: 'ltc',
        subsidy: LITECOIN_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      testnet: {
        ...TESTNET,
        genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
        pubKeyHashVersion: 111,
        scriptHashVersions: [58, 196],
        bech32Prefix: 'tltc',
        subsidy: LITECOIN_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      regtest: {
        ...REGTEST,
        genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
        pubKeyHashVersion: 111,
        scriptHashVersions: [58, 196],
        bech32Prefix: 'rltc',
        subsidy: { ...LITECOIN_SUBSIDY, interval: REGTEST_INTERVAL },
      },
    },
  },
  doge: {
    title: 'Dogecoin',
    unit: 'DOGE',
    decimals: 8,
    blockSeconds: 60,
    explorer: 'https://blockchair.com/dogecoin',
    colour: '#c2a633',
    daemon: 'dogecoind',
    cli: 'dogecoin-cli',
    format: { auxPow: true, largeValues: true, blockHash: 'sha256d', workHash: 'scrypt' },
    networks: {
      mainnet: {
        ...MAINNET,
        genesisHash: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
        pubKeyHashVersion: 30,
        scriptHashVersions: [22],
        extendedKeyVersion: 0x02facafd,
        subsidy: DOGECOIN_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      testnet: {
        ...TESTNET,
        genesisHash: 'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
        pubKeyHashVersion: 113,
        scriptHashVersions: [196],
        subsidy: DOGECOIN_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      regtest: {
        ...REGTEST,
        genesisHash: '3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5',
        pubKeyHashVersion: 111,
        scriptHashVersions: [196],
        subsidy: { ...DOGECOIN_SUBSIDY, interval: REGTEST_INTERVAL },
      },
    },
  },
  dash: {
    title: 'Dash',
    unit: 'DASH',
    decimals: 8,
    blockSeconds: 150,
    explorer: 'https://blockchair.com/dash',
    colour: '#008de4',
    daemon: 'dashd',
    cli: 'dash-cli',
    format: { extraPayload: true, blockHash: 'x11' },
    networks: {
      mainnet: {
        ...MAINNET,
        genesisHash: '00000ffd590b1485b3caadc19b22e6379c733355108f107a430458cdf3407ab6',
        pubKeyHashVersion: 76,
        scriptHashVersions: [16],
        subsidy: DASH_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      testnet: {
        ...TESTNET,
        genesisHash: '00000bafbc94add76cb75e2ec92894837288a481e5c005f6563d91623bf8bc2c',
        pubKeyHashVersion: 140,
        scriptHashVersions: [19],
        subsidy: DASH_SUBSIDY,
        powLimit: POW_LIMIT_236,
      },
      regtest: {
        ...REGTEST,
        genesisHash: '000008ca1832a4baf228eb1553c03d3a2c8e02399550dd6ea8d65cec3ef23d2e',
        pubKeyHashVersion: 140,
        scriptHashVersions: [19],
        subsidy: { ...DASH_SUBSIDY, interval: REGTEST_INTERVAL },
      },
    },
  },
} as const satisfies Readonly<Record<string, BitcoinRecord>>

export type BitcoinChainName = keyof typeof BITCOIN_FAMILY

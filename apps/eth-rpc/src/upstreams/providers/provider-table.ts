/** How one reaches a provider of nodes with a key. */
interface Provider {
  /** What stands after `name://`. */
  readonly form: string
  readonly key: RegExp
  /** What it calls the networks, by chain id. */
  readonly networks: Readonly<Record<number, string>>
  url(network: string, key: string): string
  webSocketUrl(network: string, key: string): string
}

const KEY = /^[A-Za-z0-9_-]{8,128}$/
// Avalanche's nodes have several chains; this is the one of the EVM.
const isAvalanche = (network: string) => network.startsWith('ava')

/** As their documentation has it. Chains by id: a deployment may have another than the record that it is named after. */
export const KEYED_PROVIDERS = {
  alchemy: {
    form: 'KEY',
    key: KEY,
    networks: {
      1: 'eth-mainnet',
      10: 'opt-mainnet',
      56: 'bnb-mainnet',
      100: 'gnosis-mainnet',
      130: 'unichain-mainnet',
      137: 'polygon-mainnet',
      146: 'sonic-mainnet',
      324: 'zksync-mainnet',
      5000: 'mantle-mainnet',
      8453: 'base-mainnet',
      42161: 'arb-mainnet',
      42220: 'celo-mainnet',
      43114: 'avax-mainnet',
      59144: 'linea-mainnet',
      80094: 'berachain-mainnet',
      81457: 'blast-mainnet',
      534352: 'scroll-mainnet',
      560048: 'eth-hoodi',
      11155111: 'eth-sepolia',
    },
    url: (network, key) => `https://${network}.g.alchemy.com/v2/${key}`,
    webSocketUrl: (network, key) => `wss://${network}.g.alchemy.com/v2/${key}`,
  },
  infura: {
    form: 'KEY',
    key: KEY,
    networks: {
      1: 'mainnet',
      10: 'optimism-mainnet',
      56: 'bsc-mainnet',
      130: 'unichain-mainnet',
      137: 'polygon-mainnet',
      324: 'zksync-mainnet',
      5000: 'mantle-mainnet',
      8453: 'base-mainnet',
      42161: 'arbitrum-mainnet',
      42220: 'celo-mainnet',
      43114: 'avalanche-mainnet',
      59144: 'linea-mainnet',
      81457: 'blast-mainnet',
      534352: 'scroll-mainnet',
      560048: 'hoodi',
      11155111: 'sepolia',
    },
    url: (network, key) => `https://${network}.infura.io/v3/${key}`,
    webSocketUrl: (network, key) => `wss://${network}.infura.io/ws/v3/${key}`,
  },
  quicknode: {
    form: 'NAME/TOKEN',
    key: /^[a-z0-9-]{3,100}\/[A-Za-z0-9]{8,128}$/,
    networks: {
      1: '',
      10: 'optimism',
      56: 'bsc',
      100: 'xdai',
      137: 'matic',
      324: 'zksync-mainnet',
      5000: 'mantle-mainnet',
      8453: 'base-mainnet',
      42161: 'arbitrum-mainnet',
      42220: 'celo-mainnet',
      43114: 'avalanche-mainnet',
      59144: 'linea-mainnet',
      81457: 'blast-mainnet',
      534352: 'scroll-mainnet',
      11155111: 'ethereum-sepolia',
      560048: 'ethereum-hoodi',
    },
    url: (network, key) => `https://${quicknode(network, key)}/${isAvalanche(network) ? 'ext/bc/C/rpc/' : ''}`,
    webSocketUrl: (network, key) => `wss://${quicknode(network, key)}/${isAvalanche(network) ? 'ext/bc/C/ws/' : ''}`,
  },
  ankr: {
    form: 'KEY',
    key: KEY,
    networks: {
      1: 'eth',
      10: 'optimism',
      56: 'bsc',
      100: 'gnosis',
      137: 'polygon',
      324: 'zksync_era',
      5000: 'mantle',
      8453: 'base',
      42161: 'arbitrum',
      42220: 'celo',
      43114: 'avalanche',
      59144: 'linea',
      81457: 'blast',
      534352: 'scroll',
      11155111: 'eth_sepolia',
    },
    url: (network, key) => `https://rpc.ankr.com/${network}/${key}`,
    webSocketUrl: (network, key) => `wss://rpc.ankr.com/${network}/ws/${key}`,
  },
  drpc: {
    form: 'KEY',
    key: KEY,
    networks: {
      1: 'ethereum',
      10: 'optimism',
      56: 'bsc',
      100: 'gnosis',
      130: 'unichain',
      137: 'polygon',
      146: 'sonic',
      324: 'zksync',
      5000: 'mantle',
      8453: 'base',
      42161: 'arbitrum',
      42220: 'celo',
      43114: 'avalanche',
      59144: 'linea',
      80094: 'berachain',
      81457: 'blast',
      534352: 'scroll',
      560048: 'hoodi',
      11155111: 'sepolia',
    },
    url: (network, key) => `https://lb.drpc.org/ogrpc?network=${network}&dkey=${key}`,
    webSocketUrl: (network, key) => `wss://lb.drpc.org/ogws?network=${network}&dkey=${key}`,
  },
  chainstack: {
    form: 'KEY',
    key: KEY,
    networks: {
      1: 'ethereum-mainnet',
      10: 'optimism-mainnet',
      56: 'bsc-mainnet',
      100: 'gnosis-mainnet',
      137: 'polygon-mainnet',
      324: 'zksync-mainnet',
      8453: 'base-mainnet',
      42161: 'arbitrum-mainnet',
      43114: 'avalanche-mainnet',
      59144: 'linea-mainnet',
      81457: 'blast-mainnet',
      534352: 'scroll-mainnet',
      560048: 'ethereum-hoodi',
      11155111: 'ethereum-sepolia',
    },
    url: (network, key) => `https://${network}.core.chainstack.com/${isAvalanche(network) ? 'ext/bc/C/rpc/' : ''}${key}`,
    webSocketUrl: (network, key) => `wss://${network}.core.chainstack.com/ws/${isAvalanche(network) ? 'ext/bc/C/ws/' : ''}${key}`,
  },
} as const satisfies Readonly<Record<string, Provider>>

function quicknode(network: string, key: string): string {
  const [name, token] = key.split('/')
  return `${[name, network].filter(Boolean).join('.')}.quiknode.pro/${token}`
}

/** Open to everybody, slow, and without a promise: by chain id. */
export const PUBLIC_URLS: Readonly<Record<number, readonly string[]>> = {
  1: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  10: ['https://mainnet.optimism.io', 'https://optimism-rpc.publicnode.com'],
  56: ['https://bsc-dataseed.bnbchain.org', 'https://bsc-rpc.publicnode.com'],
  61: ['https://etc.rivet.link'],
  100: ['https://rpc.gnosischain.com', 'https://gnosis-rpc.publicnode.com'],
  130: ['https://mainnet.unichain.org', 'https://unichain-rpc.publicnode.com'],
  137: ['https://polygon.drpc.org', 'https://polygon-bor-rpc.publicnode.com'],
  146: ['https://rpc.soniclabs.com', 'https://sonic-rpc.publicnode.com'],
  324: ['https://mainnet.era.zksync.io'],
  5000: ['https://rpc.mantle.xyz', 'https://mantle-rpc.publicnode.com'],
  8453: ['https://mainnet.base.org', 'https://base-rpc.publicnode.com'],
  42161: ['https://arb1.arbitrum.io/rpc', 'https://arbitrum-one-rpc.publicnode.com'],
  42220: ['https://forno.celo.org', 'https://celo-rpc.publicnode.com'],
  43114: ['https://api.avax.network/ext/bc/C/rpc', 'https://avalanche-c-chain-rpc.publicnode.com'],
  59144: ['https://rpc.linea.build', 'https://linea-rpc.publicnode.com'],
  80094: ['https://rpc.berachain.com', 'https://berachain-rpc.publicnode.com'],
  81457: ['https://rpc.blast.io', 'https://blast-rpc.publicnode.com'],
  534352: ['https://rpc.scroll.io', 'https://scroll-rpc.publicnode.com'],
  560048: ['https://rpc.hoodi.ethpandaops.io', 'https://ethereum-hoodi-rpc.publicnode.com'],
  11155111: ['https://ethereum-sepolia-rpc.publicnode.com', 'https://sepolia.drpc.org'],
}

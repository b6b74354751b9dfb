import type { EvmRecord } from './chain.js'

// The chains of the Ethereum family, a record each network. Append: a chain's port follows from its place.
// A test holds names, ids and units against viem's (packages/sdk); another the header hashes against real blocks (apps/eth-rpc).

const ETHER = { unit: 'ETH', decimals: 18 } as const
const BEACON = { finality: 'beacon', headerHash: 'ethereum' } as const
const OP_STACK = { finality: 'l1', headerHash: 'ethereum' } as const

export const EVM_FAMILY = {
  eth: {
    ...ETHER,
    title: 'Ethereum',
    isDefault: true,
    network: 'mainnet',
    chainId: 1,
    blockSeconds: 12,
    ...BEACON,
    explorer: 'https://etherscan.io',
    colour: '#627eea',
    nodes: { images: ['eth'], maxLagBlocks: 30 },
    // The newest rules keep a history of hashes in the state, which makes each of its copies 8,000 entries larger.
    devnet: { chainId: 31_337, nodes: 3, hardfork: 'cancun' },
  },
  etc: {
    title: 'Ethereum Classic',
    isDefault: true,
    network: 'mainnet',
    chainId: 61,
    networkId: 1,
    unit: 'ETC',
    decimals: 18,
    blockSeconds: 13,
    // Work makes nothing final: this is how deep a block has to be.
    finality: { depth: 1024 },
    headerHash: 'ethereum',
    explorer: 'https://blockscout.com/etc/mainnet',
    colour: '#3ab83a',
    nodes: { images: ['etc'], maxLagBlocks: 30 },
    // No base fee (EIP-1559), as Ethereum before London.
    devnet: { nodes: 2, hardfork: 'berlin' },
  },
  sepolia: evm('Sepolia', 11_155_111, {
    network: 'testnet',
    blockSeconds: 12,
    ...BEACON,
    explorer: 'https://sepolia.etherscan.io',
    colour: '#8aa0f2',
  }),
  hoodi: evm('Hoodi', 560_048, {
    network: 'testnet',
    blockSeconds: 12,
    ...BEACON,
    explorer: 'https://hoodi.etherscan.io',
    colour: '#8aa0f2',
  }),
  base: evm('Base', 8453, { blockSeconds: 2, ...OP_STACK, explorer: 'https://basescan.org', colour: '#0052ff' }),
  optimism: evm('OP Mainnet', 10, { blockSeconds: 2, ...OP_STACK, explorer: 'https://optimistic.etherscan.io', colour: '#ff0420' }),
  arbitrum: evm('Arbitrum One', 42_161, {
    blockSeconds: 0.25,
    finality: 'l1',
    headerHash: 'ethereum',
    explorer: 'https://arbiscan.io',
    colour: '#12aaff',
  }),
  polygon: evm('Polygon', 137, {
    unit: 'POL',
    blockSeconds: 2,
    finality: 'milestones',
    headerHash: 'ethereum',
    explorer: 'https://polygonscan.com',
    colour: '#8247e5',
  }),
  bnb: evm('BNB Smart Chain', 56, {
    unit: 'BNB',
    blockSeconds: 0.45,
    finality: 'nodes',
    headerHash: 'ethereum',
    explorer: 'https://bscscan.com',
    colour: '#f0b90b',
  }),
  avalanche: evm('Avalanche', 43_114, {
    unit: 'AVAX',
    blockSeconds: 1.7,
    finality: 'instant',
    headerHash: 'own',
    explorer: 'https://snowtrace.io',
    colour: '#e84142',
  }),
  gnosis: evm('Gnosis', 100, { unit: 'XDAI', blockSeconds: 5, finality: 'beacon', explorer: 'https://gnosisscan.io', colour: '#04795b' }),
  linea: evm('Linea Mainnet', 59_144, { blockSeconds: 2, finality: 'l1', explorer: 'https://lineascan.build', colour: '#61dfff' }),
  scroll: evm('Scroll', 534_352, { blockSeconds: 3, finality: 'l1', explorer: 'https://scrollscan.com', colour: '#ffdbb0' }),
  zksync: evm('ZKsync Era', 324, {
    blockSeconds: 0.2,
    finality: 'l1',
    headerHash: 'own',
    explorer: 'https://explorer.zksync.io',
    colour: '#1755f4',
  }),
  mantle: evm('Mantle', 5000, { unit: 'MNT', blockSeconds: 2, finality: 'l1', explorer: 'https://mantlescan.xyz', colour: '#65b3ae' }),
  blast: evm('Blast', 81_457, { blockSeconds: 2, finality: 'l1', explorer: 'https://blastscan.io', colour: '#fcfc03' }),
  celo: evm('Celo', 42_220, { unit: 'CELO', blockSeconds: 1, finality: 'l1', explorer: 'https://celoscan.io', colour: '#fcff52' }),
  sonic: evm('Sonic', 146, { unit: 'S', blockSeconds: 0.63, finality: 'nodes', explorer: 'https://sonicscan.org', colour: '#fe9a4c' }),
  berachain: evm('Berachain', 80_094, {
    unit: 'BERA',
    blockSeconds: 2,
    finality: 'nodes',
    explorer: 'https://berascan.com',
    colour: '#814625',
  }),
  unichain: evm('Unichain', 130, { blockSeconds: 1, ...OP_STACK, explorer: 'https://uniscan.xyz', colour: '#f50db4' }),
} as const satisfies Readonly<Record<string, EvmRecord>>

type Rest = Pick<EvmRecord, 'blockSeconds' | 'finality' | 'explorer' | 'colour'> & Partial<EvmRecord>

function evm(title: string, chainId: number, rest: Rest): EvmRecord {
  return { ...ETHER, network: 'mainnet', title, chainId, ...rest }
}

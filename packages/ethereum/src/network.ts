import { formatHex, parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'

export type NetworkName = 'mainnet' | 'hoodi' | 'sepolia' | 'dev'

/** What signatures and deposits of a network depend on. */
export interface EthereumNetwork {
  readonly name: NetworkName
  readonly chainId: number
  readonly genesisForkVersion: Buffer
  /** EIP-7044: voluntary exits are always signed for this fork. */
  readonly capellaForkVersion: Buffer
  readonly genesisValidatorsRoot: Buffer
  readonly depositContract: Buffer
}

/** What a beacon node reports about its network. */
export type NetworkFacts = Omit<EthereumNetwork, 'name'>

export const NETWORK_NAMES: readonly NetworkName[] = ['mainnet', 'hoodi', 'sepolia', 'dev']

/**
 * The network with this name. What a node reports must agree with the facts here: deposits signed for a wrong fork version are lost.
 * For `dev` only the preset is known, so the node is trusted.
 */
export function networkOf(name: NetworkName, reported: Partial<NetworkFacts> = {}): EthereumNetwork {
  if (name === 'dev') return { ...DEV, ...Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined)), name }
  const network = { name, ...NETWORKS[name] }
  for (const fact of FACTS) {
    const value = reported[fact]
    if (value !== undefined && textOf(value) !== textOf(network[fact]))
      throw new InvalidEthereumData(`The ${fact} of ${name} is ${textOf(network[fact])}, but the node reports ${textOf(value)}.`)
  }
  return network
}

export function isNetworkName(name: string): name is NetworkName {
  return NETWORK_NAMES.some((each) => each === name)
}

const FACTS = ['chainId', 'genesisForkVersion', 'capellaForkVersion', 'genesisValidatorsRoot', 'depositContract'] as const

function textOf(fact: number | Buffer): string {
  return typeof fact === 'number' ? String(fact) : formatHex(fact)
}

const NETWORKS: Record<Exclude<NetworkName, 'dev'>, NetworkFacts> = {
  mainnet: {
    chainId: 1,
    genesisForkVersion: parseHex('0x00000000'),
    capellaForkVersion: parseHex('0x03000000'),
    genesisValidatorsRoot: parseHex('0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95'),
    depositContract: parseHex('0x00000000219ab540356cBB839Cbe05303d7705Fa'),
  },
  hoodi: {
    chainId: 560_048,
    genesisForkVersion: parseHex('0x10000910'),
    capellaForkVersion: parseHex('0x40000910'),
    genesisValidatorsRoot: parseHex('0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f'),
    depositContract: parseHex('0x00000000219ab540356cBB839Cbe05303d7705Fa'),
  },
  // Only a fixed set of operators can deposit here: the contract also takes a token.
  sepolia: {
    chainId: 11_155_111,
    genesisForkVersion: parseHex('0x90000069'),
    capellaForkVersion: parseHex('0x90000072'),
    genesisValidatorsRoot: parseHex('0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078'),
    depositContract: parseHex('0x7f02C3E3c98b133055B8B348B2Ac625669Ed295D'),
  },
}

/** The minimal preset. Each such chain has its own genesis validators root. */
const DEV: NetworkFacts = {
  chainId: 1337,
  genesisForkVersion: parseHex('0x00000001'),
  capellaForkVersion: parseHex('0x03000001'),
  genesisValidatorsRoot: Buffer.alloc(32),
  depositContract: parseHex('0x00000000219ab540356cBB839Cbe05303d7705Fa'),
}

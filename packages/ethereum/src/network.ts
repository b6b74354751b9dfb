import { formatHex, parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'

export type NetworkName = 'mainnet' | 'hoodi' | 'sepolia' | 'dev'

/** What tells one network from another: everything a signature or a deposit depends on. */
export interface EthereumNetwork {
  readonly name: NetworkName
  readonly chainId: number
  readonly genesisForkVersion: Buffer
  /** EIP-7044: voluntary exits are signed under this fork for ever. */
  readonly capellaForkVersion: Buffer
  readonly genesisValidatorsRoot: Buffer
  readonly depositContract: Buffer
}

/** What a beacon node says of its network. */
export type NetworkFacts = Omit<EthereumNetwork, 'name'>

export const NETWORK_NAMES: readonly NetworkName[] = ['mainnet', 'hoodi', 'sepolia', 'dev']

/**
 * The network of this name. What a node says of it must be what is known here: a wrong fork version makes deposits that are lost.
 * Of `dev` no more is known than its preset, so there the node is believed.
 */
export function networkOf(name: NetworkName, said: Partial<NetworkFacts> = {}): EthereumNetwork {
  if (name === 'dev') return { ...DEV, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)), name }
  const network = { name, ...NETWORKS[name] }
  for (const fact of FACTS) {
    const value = said[fact]
    if (value !== undefined && textOf(value) !== textOf(network[fact]))
      throw new InvalidEthereumData(`The ${fact} of ${name} is ${textOf(network[fact])}, but the node says ${textOf(value)}.`)
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
  // Only a fixed set of operators may deposit here: its contract takes a token besides.
  sepolia: {
    chainId: 11_155_111,
    genesisForkVersion: parseHex('0x90000069'),
    capellaForkVersion: parseHex('0x90000072'),
    genesisValidatorsRoot: parseHex('0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078'),
    depositContract: parseHex('0x7f02C3E3c98b133055B8B348B2Ac625669Ed295D'),
  },
}

/** The minimal preset; a chain of it has a genesis validators root of its own. */
const DEV: NetworkFacts = {
  chainId: 1337,
  genesisForkVersion: parseHex('0x00000001'),
  capellaForkVersion: parseHex('0x03000001'),
  genesisValidatorsRoot: Buffer.alloc(32),
  depositContract: parseHex('0x00000000219ab540356cBB839Cbe05303d7705Fa'),
}

/** What a deposit depends on, as the networks themselves say and not as the platform does: it is checked with this. */
export interface DepositNetwork {
  readonly chainId: number
  readonly genesisForkVersion: string
  readonly depositContract: string
  /** Slots of two seconds and short queues: a life is over in minutes. */
  readonly isQuick: boolean
}

/** eth-clients/mainnet, eth-clients/hoodi, eth-clients/sepolia: metadata/config.yaml; and Trestle's own chain for development. */
const NETWORKS: Readonly<Record<string, DepositNetwork>> = {
  mainnet: {
    chainId: 1,
    genesisForkVersion: '0x00000000',
    depositContract: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
    isQuick: false,
  },
  hoodi: {
    chainId: 560_048,
    genesisForkVersion: '0x10000910',
    depositContract: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
    isQuick: false,
  },
  sepolia: {
    chainId: 11_155_111,
    genesisForkVersion: '0x90000069',
    depositContract: '0x7f02C3E3c98b133055B8B348B2Ac625669Ed295D',
    isQuick: false,
  },
  dev: {
    chainId: 1337,
    genesisForkVersion: '0x00000001',
    depositContract: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
    isQuick: true,
  },
}

export function depositNetwork(chain: string): DepositNetwork | undefined {
  return Object.hasOwn(NETWORKS, chain) ? NETWORKS[chain] : undefined
}

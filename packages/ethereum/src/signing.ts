import type { EthereumNetwork } from './network.js'
import { type DepositMessage, depositMessageRoot, forkDataRoot, signingDataRoot, type VoluntaryExit, voluntaryExitRoot } from './ssz.js'

const DOMAIN_DEPOSIT = Buffer.from('03000000', 'hex')
const DOMAIN_VOLUNTARY_EXIT = Buffer.from('04000000', 'hex')
const NO_VALIDATORS = Buffer.alloc(32)

/** Separates signatures by kind, fork and chain. */
function computeDomain(type: Buffer, forkVersion: Buffer, genesisValidatorsRoot: Buffer): Buffer {
  return Buffer.concat([type, forkDataRoot({ currentVersion: forkVersion, genesisValidatorsRoot })], 32)
}

export function computeSigningRoot(objectRoot: Buffer, domain: Buffer): Buffer {
  return signingDataRoot({ objectRoot, domain })
}

/** Always for the genesis fork and no validators: the first deposits are older than the chain. */
export function depositDomain({ genesisForkVersion }: Pick<EthereumNetwork, 'genesisForkVersion'>): Buffer {
  return computeDomain(DOMAIN_DEPOSIT, genesisForkVersion, NO_VALIDATORS)
}

/** EIP-7044: always that of Capella, so that a signed exit never expires. */
export function exitDomain({
  capellaForkVersion,
  genesisValidatorsRoot,
}: Pick<EthereumNetwork, 'capellaForkVersion' | 'genesisValidatorsRoot'>): Buffer {
  return computeDomain(DOMAIN_VOLUNTARY_EXIT, capellaForkVersion, genesisValidatorsRoot)
}

export function depositSigningRoot(message: DepositMessage, network: Pick<EthereumNetwork, 'genesisForkVersion'>): Buffer {
  return computeSigningRoot(depositMessageRoot(message), depositDomain(network))
}

export function exitSigningRoot(
  exit: VoluntaryExit,
  network: Pick<EthereumNetwork, 'capellaForkVersion' | 'genesisValidatorsRoot'>,
): Buffer {
  return computeSigningRoot(voluntaryExitRoot(exit), exitDomain(network))
}

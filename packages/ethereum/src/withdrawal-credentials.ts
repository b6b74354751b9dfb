import { ADDRESS_LENGTH } from './address.js'
import { InvalidEthereumData } from './malformed.js'
import type { EthereumNetwork } from './network.js'

/** `execution` (0x01) pays out what is above 32 ETH; `compounding` (0x02, EIP-7251) keeps it staked up to 2048 ETH. */
export type CredentialsKind = 'execution' | 'compounding'

const PREFIXES: Record<CredentialsKind, number> = { execution: 0x01, compounding: 0x02 }
const PADDING = Buffer.alloc(11)

/** Binds a validator to its withdrawal address permanently. */
export function withdrawalCredentialsOf(address: Buffer, kind: CredentialsKind, network: EthereumNetwork): Buffer {
  if (address.length !== ADDRESS_LENGTH) throw new InvalidEthereumData(`An address has ${ADDRESS_LENGTH} bytes, not ${address.length}.`)
  if (address.equals(Buffer.alloc(ADDRESS_LENGTH))) throw new InvalidEthereumData('Nobody has the key of the zero address.')
  if (address.equals(network.depositContract))
    throw new InvalidEthereumData('The deposit contract cannot be a withdrawal address: it never pays out.')
  return Buffer.concat([Buffer.of(PREFIXES[kind]), PADDING, address])
}

/** The address that these credentials pay; undefined for a BLS key (0x00) and unknown kinds. */
export function withdrawalAddressOf(credentials: Buffer): Buffer | undefined {
  const isAddress = credentialsKindOf(credentials) !== undefined && credentials.subarray(1, 12).equals(PADDING)
  return isAddress ? credentials.subarray(12) : undefined
}

export function credentialsKindOf(credentials: Buffer): CredentialsKind | undefined {
  if (credentials.length !== 32) throw new InvalidEthereumData(`Withdrawal credentials have 32 bytes, not ${credentials.length}.`)
  if (credentials[0] === PREFIXES.execution) return 'execution'
  return credentials[0] === PREFIXES.compounding ? 'compounding' : undefined
}

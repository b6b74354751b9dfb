import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'

/** A key for a signer, with what the key has signed before (EIP-3076, as JSON). */
export interface KeyImport {
  readonly pubkey: Buffer
  readonly keystore: string
  readonly password: string
  readonly slashingProtection: string
}

/** What holds keys and signs with them: a validator client by its Keymanager API, or a web3signer. Each call may throw `SignerUnavailable`. */
export interface SignerClient {
  /** Whether fee recipients are kept here, and not by a validator client in front of it. */
  readonly keepsFeeRecipients: boolean
  /** The public keys that it holds. */
  list(): Promise<Buffer[]>
  /** A key that is there already stays as it is. */
  import(key: KeyImport): Promise<void>
  /** Takes the key away and gives what it had signed; one that is away already is asked for the same. */
  remove(pubkey: Buffer): Promise<string>
  /** Undefined: none is set, or the key is not there. */
  feeRecipient(pubkey: Buffer): Promise<Buffer | undefined>
  setFeeRecipient(pubkey: Buffer, address: Buffer): Promise<void>
  /** Signs and does not send; undefined: it cannot. */
  signExit(pubkey: Buffer, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit | undefined>
  close(): Promise<void>
}

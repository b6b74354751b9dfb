import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'

/** A key for a signer, with its slashing protection history (EIP-3076, as JSON). */
export interface KeyImport {
  readonly pubkey: Buffer
  readonly keystore: string
  readonly password: string
  readonly slashingProtection: string
}

/** Holds keys and signs with them: a validator client with the Keymanager API, or a web3signer. Each call may throw an `UpstreamError`. */
export interface SignerClient {
  /** False if a validator client in front of it has the fee recipients. */
  readonly keepsFeeRecipients: boolean
  /** Throws `OtherSigner` if it is not the one that it is bound to, as far as its certificate shows. */
  list(): Promise<Buffer[]>
  /**
   * Who answers there, as far as the protocol shows, once it has answered: `tls:` and the fingerprint of the key of its certificate; without TLS
   * `token:` and the fingerprint of the token that it accepts; `none` if there is neither.
   */
  identity(): Promise<string>
  /** From now on keys are sent to this signer only, and only its deletions count. */
  bindTo(identity: string | undefined): Promise<void>
  /** A key that it has already stays as it is. */
  import(key: KeyImport): Promise<void>
  /** Deletes the key and returns its slashing protection history, also if the key was deleted before. */
  remove(pubkey: Buffer): Promise<string>
  /** Undefined if none is set, or the key is not there. */
  feeRecipient(pubkey: Buffer): Promise<Buffer | undefined>
  setFeeRecipient(pubkey: Buffer, address: Buffer): Promise<void>
  /** Signs without sending; undefined if this signer cannot. */
  signExit(pubkey: Buffer, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit | undefined>
  close(): Promise<void>
}

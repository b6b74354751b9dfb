import { SIGNATURE_LENGTH, sign, verify } from './bls.js'
import { formatHex } from './hex.js'
import { JsonObject, parseJson } from './json.js'
import type { EthereumNetwork } from './network.js'
import { exitSigningRoot } from './signing.js'
import type { VoluntaryExit } from './ssz.js'

export interface SignedVoluntaryExit {
  readonly message: VoluntaryExit
  readonly signature: Buffer
}

/** The body of POST /eth/v1/beacon/pool/voluntary_exits. */
export interface SignedVoluntaryExitJson {
  readonly message: { readonly epoch: string; readonly validator_index: string }
  readonly signature: string
}

type ExitFork = Pick<EthereumNetwork, 'capellaForkVersion' | 'genesisValidatorsRoot'>

export function signExit(secretKey: Buffer, message: VoluntaryExit, network: ExitFork): SignedVoluntaryExit {
  return { message, signature: sign(secretKey, exitSigningRoot(message, network)) }
}

/** Whether the chain will accept the signature as this validator's. */
export function isValidExit({ message, signature }: SignedVoluntaryExit, publicKey: Buffer, network: ExitFork): boolean {
  return verify(publicKey, exitSigningRoot(message, network), signature)
}

export function formatExit({ message, signature }: SignedVoluntaryExit): SignedVoluntaryExitJson {
  return {
    message: { epoch: String(message.epoch), validator_index: String(message.validatorIndex) },
    signature: formatHex(signature),
  }
}

/** Parses what a validator client signed, or an owner stored. */
export function parseExit(json: unknown): SignedVoluntaryExit {
  const exit = JsonObject.of(parseJson(json), 'A signed voluntary exit')
  const message = exit.object('message')
  return {
    message: { epoch: message.uint64('epoch'), validatorIndex: message.uint64('validator_index') },
    signature: exit.bytes('signature', SIGNATURE_LENGTH),
  }
}

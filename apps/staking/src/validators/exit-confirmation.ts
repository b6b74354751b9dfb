import type { ExitConfirmation } from '@trestle/contracts/staking/validators'
import { confirmationSigner } from '@trestle/ethereum/confirmation'
import { parseHex } from '@trestle/ethereum/hex'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { withdrawalAddressOf } from '@trestle/ethereum/withdrawal-credentials'
import { Problem } from '@trestle/problem/problem'
import type { OwnedValidator } from './validator.js'

// Limits how long an intercepted signature can be used.
const FRESH_MS = 10 * 60_000

/** Throws unless the withdrawal address has just signed this validator's exit. */
export function checkConfirmation(
  validator: OwnedValidator,
  { confirmationDate, confirmationSignature }: ExitConfirmation,
  now: Date,
): void {
  if (!confirmationDate || !confirmationSignature) throw notConfirmed('confirmationDate and confirmationSignature are required.')
  if (Math.abs(now.getTime() - Date.parse(confirmationDate)) > FRESH_MS)
    throw notConfirmed('confirmationDate is not within 10 minutes of now.')
  const { chainName: chain, pubkey, withdrawalCredentials } = validator
  const signer = signerOf({ chain, pubkey, confirmationDate }, confirmationSignature)
  if (!withdrawalAddressOf(withdrawalCredentials)?.equals(signer)) {
    throw notConfirmed('The withdrawal address has not signed {chain}:{pubkey}:{confirmationDate}.')
  }
}

function signerOf(confirmation: Parameters<typeof confirmationSigner>[0], signature: string): Buffer {
  try {
    return confirmationSigner(confirmation, parseHex(signature))
  } catch (error) {
    if (error instanceof InvalidEthereumData) throw notConfirmed(error.message)
    throw error
  }
}

function notConfirmed(detail: string): Problem {
  return new Problem('forbidden', 'ExitNotConfirmed', detail)
}

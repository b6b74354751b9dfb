import { formatHex } from '@trestle/ethereum/hex'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { parseExit, type SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { z } from 'zod'
import { Bytes } from '../chains/upstream-json.js'

// Responses of the Keymanager API (github.com/ethereum/keymanager-APIs), parsed into our terms.

export const KeystoresResponse = z
  .object({ data: z.array(z.object({ validating_pubkey: Bytes(48) })) })
  .transform(({ data }) => data.map(({ validating_pubkey }) => validating_pubkey))

const Status = z.object({
  status: z.string(),
  message: z
    .string()
    .nullish()
    .transform((text) => text ?? undefined),
})

/** For the one key that was sent. */
export const ImportResponse = z.object({ data: z.tuple([Status]) }).transform(({ data: [status] }) => status)

/** The interchange should be a string; some clients send an object. */
export const DeletionResponse = z
  .object({
    data: z.tuple([Status]),
    slashing_protection: z
      .union([z.string(), z.looseObject({})])
      .transform((given) => (typeof given === 'string' ? given : JSON.stringify(given))),
  })
  .transform(({ data: [status], slashing_protection }) => ({ ...status, slashingProtection: slashing_protection }))

export const FeeRecipientResponse = z.object({ data: z.object({ ethaddress: Bytes(20) }) }).transform(({ data }) => data.ethaddress)

export const SignedExitResponse = z.object({ data: z.unknown() }).transform(({ data }, context): SignedVoluntaryExit => {
  try {
    return parseExit(data)
  } catch (error) {
    if (!(error instanceof InvalidEthereumData)) throw error
    context.addIssue(error.message)
    return z.NEVER
  }
})

export function keyPath(pubkey: Buffer): string {
  return formatHex(pubkey)
}

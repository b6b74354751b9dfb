import { formatInterchange, type Interchange, mergeInterchanges, parseInterchange } from '@trestle/ethereum/slashing-protection'

/** Where the chain is, and so up to where a signer that has lost its memory may have signed. */
interface SignedUpTo {
  readonly epoch: number
  readonly finalizedEpoch: number
  readonly slotsPerEpoch: number
}

/** A signer may be a little ahead of the node that was asked. */
const MARGIN_EPOCHS = 1

/**
 * What a signer must know of a key before it signs with it (EIP-3076): all that earlier signers gave back. Where one of them has lost the key
 * without giving anything back, everything up to now counts as signed: the next epochs' duties are missed, and nothing is signed twice.
 */
export function slashingProtectionOf(pubkey: Buffer, given: readonly string[], root: Buffer, lost?: SignedUpTo): string {
  const known = given.map((text) => onlyOf(pubkey, parseInterchange(text, root)))
  const nothing: Interchange = { genesisValidatorsRoot: root, histories: [] }
  return JSON.stringify(formatInterchange(mergeInterchanges(nothing, ...known, ...(lost ? [everythingUpTo(pubkey, root, lost)] : []))))
}

function everythingUpTo(pubkey: Buffer, genesisValidatorsRoot: Buffer, { epoch, finalizedEpoch, slotsPerEpoch }: SignedUpTo): Interchange {
  const lastEpoch = epoch + MARGIN_EPOCHS
  const slot = BigInt((lastEpoch + 1) * slotsPerEpoch - 1)
  // The source of an honest attestation is never older than what was final when the one before it was made.
  const attestation = { sourceEpoch: BigInt(Math.min(finalizedEpoch, lastEpoch)), targetEpoch: BigInt(lastEpoch) }
  return { genesisValidatorsRoot, histories: [{ pubkey, blocks: [{ slot }], attestations: [attestation] }] }
}

function onlyOf(pubkey: Buffer, { histories, ...interchange }: Interchange): Interchange {
  return { ...interchange, histories: histories.filter((history) => history.pubkey.equals(pubkey)) }
}

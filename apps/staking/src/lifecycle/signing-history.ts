import { formatInterchange, type Interchange, mergeInterchanges, parseInterchange } from '@trestle/ethereum/slashing-protection'

/** The head of the chain: up to there a signer that has lost its history may have signed. */
interface SignedUpTo {
  readonly epoch: number
  readonly finalizedEpoch: number
  readonly slotsPerEpoch: number
}

/** A signer may be slightly ahead of our node. */
const MARGIN_EPOCHS = 1

/**
 * The slashing protection (EIP-3076) that a signer must import with a key: the histories that earlier signers returned. If a signer has
 * lost the key and returned none, everything up to now counts as signed: the next epochs' duties are missed, and nothing is signed twice.
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

import { formatInterchange, type Interchange, mergeInterchanges, parseInterchange } from '@trestle/ethereum/slashing-protection'

/** Up to then a signer that has lost its history may have signed. */
interface SignedUpTo {
  readonly epoch: number
  readonly slotsPerEpoch: number
}

/** A signer's clock may be ahead of ours, and our node behind the chain. */
const MARGIN_EPOCHS = 2

/**
 * The slashing protection (EIP-3076) that a signer must import with a key: the histories that earlier signers returned. If the key may have
 * been signed with since, everything up to now counts as signed: the next epochs' duties are missed, and nothing is signed twice.
 */
export function slashingProtectionOf(pubkey: Buffer, given: readonly string[], root: Buffer, signed?: SignedUpTo): string {
  const known = given.map((text) => onlyOf(pubkey, parseInterchange(text, root)))
  const nothing: Interchange = { genesisValidatorsRoot: root, histories: [] }
  return JSON.stringify(formatInterchange(mergeInterchanges(nothing, ...known, ...(signed ? [everythingUpTo(pubkey, root, signed)] : []))))
}

function everythingUpTo(pubkey: Buffer, genesisValidatorsRoot: Buffer, { epoch, slotsPerEpoch }: SignedUpTo): Interchange {
  const lastEpoch = epoch + MARGIN_EPOCHS
  const slot = BigInt((lastEpoch + 1) * slotsPerEpoch - 1)
  // The source of a vote lies before its target. A later vote with an older source than any before would surround it.
  const attestation = { sourceEpoch: BigInt(lastEpoch - 1), targetEpoch: BigInt(lastEpoch) }
  return { genesisValidatorsRoot, histories: [{ pubkey, blocks: [{ slot }], attestations: [attestation] }] }
}

function onlyOf(pubkey: Buffer, { histories, ...interchange }: Interchange): Interchange {
  return { ...interchange, histories: histories.filter((history) => history.pubkey.equals(pubkey)) }
}

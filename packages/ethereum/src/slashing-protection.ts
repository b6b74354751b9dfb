import { PUBLIC_KEY_LENGTH } from './bls.js'
import { formatHex } from './hex.js'
import { JsonObject, parseJson } from './json.js'
import { InvalidEthereumData } from './malformed.js'

/** EIP-3076, version 5: what the keys in it have signed, so that another signer goes on where this one stopped. */
export interface Interchange {
  readonly genesisValidatorsRoot: Buffer
  readonly histories: readonly SigningHistory[]
}

export interface SigningHistory {
  readonly pubkey: Buffer
  readonly blocks: readonly SignedBlock[]
  readonly attestations: readonly SignedAttestation[]
}

interface SignedBlock {
  readonly slot: bigint
  readonly signingRoot?: Buffer
}

export interface SignedAttestation {
  readonly sourceEpoch: bigint
  readonly targetEpoch: bigint
  readonly signingRoot?: Buffer
}

/** The history in a file or an answer of a validator client, where it may be JSON in a string. That of another chain is refused. */
export function parseInterchange(json: unknown, genesisValidatorsRoot: Buffer): Interchange {
  const interchange = JsonObject.of(parseJson(json), 'The interchange')
  const metadata = interchange.object('metadata')
  if (metadata.text('interchange_format_version') !== VERSION) throw new InvalidEthereumData('The interchange is not of version 5.')
  if (!metadata.bytes('genesis_validators_root', 32).equals(genesisValidatorsRoot))
    throw new InvalidEthereumData('The interchange is of another chain: its genesis validators root is not the one expected.')
  const histories = interchange.list('data').map(parseHistory)
  return { genesisValidatorsRoot, histories: joinHistories(histories) }
}

export function formatInterchange({ genesisValidatorsRoot, histories }: Interchange): object {
  return {
    metadata: { interchange_format_version: VERSION, genesis_validators_root: formatHex(genesisValidatorsRoot) },
    data: histories.map(({ pubkey, blocks, attestations }) => ({
      pubkey: formatHex(pubkey),
      signed_blocks: blocks.map(({ slot, signingRoot }) => ({ slot: String(slot), ...formatRoot(signingRoot) })),
      signed_attestations: attestations.map(({ sourceEpoch, targetEpoch, signingRoot }) => ({
        source_epoch: String(sourceEpoch),
        target_epoch: String(targetEpoch),
        ...formatRoot(signingRoot),
      })),
    })),
  }
}

/** Everything that any of these says was signed: it forbids whatever one of them forbids. */
export function mergeInterchanges(first: Interchange, ...others: readonly Interchange[]): Interchange {
  const { genesisValidatorsRoot } = first
  if (others.some((other) => !other.genesisValidatorsRoot.equals(genesisValidatorsRoot)))
    throw new InvalidEthereumData('The interchanges are of different chains.')
  return { genesisValidatorsRoot, histories: joinHistories([first, ...others].flatMap(({ histories }) => histories)) }
}

/** The highest slot and epochs only. It forbids all that the whole history forbids, and whatever is older. */
export function minimalInterchange({ genesisValidatorsRoot, histories }: Interchange): Interchange {
  return { genesisValidatorsRoot, histories: histories.map(minimalHistory) }
}

/** EIP-3076, condition 2, of a signer that keeps only the highest: a block later than every one before. */
export function maySignBlock({ blocks }: Pick<SigningHistory, 'blocks'>, slot: bigint): boolean {
  return blocks.every((signed) => slot > signed.slot)
}

/** EIP-3076, conditions 4 and 5: a source not before any other, a target after all. */
export function maySignAttestation(
  { attestations }: Pick<SigningHistory, 'attestations'>,
  { sourceEpoch, targetEpoch }: SignedAttestation,
): boolean {
  if (sourceEpoch > targetEpoch) return false
  return attestations.every((signed) => sourceEpoch >= signed.sourceEpoch && targetEpoch > signed.targetEpoch)
}

const VERSION = '5'

function parseHistory(history: JsonObject): SigningHistory {
  return {
    pubkey: history.bytes('pubkey', PUBLIC_KEY_LENGTH),
    blocks: history.list('signed_blocks').map((block) => ({ slot: block.uint64('slot'), ...parseRoot(block) })),
    attestations: history.list('signed_attestations').map((attestation) => ({
      sourceEpoch: attestation.uint64('source_epoch'),
      targetEpoch: attestation.uint64('target_epoch'),
      ...parseRoot(attestation),
    })),
  }
}

function parseRoot(signed: JsonObject): { signingRoot?: Buffer } {
  return signed.has('signing_root') ? { signingRoot: signed.bytes('signing_root', 32) } : {}
}

function formatRoot(signingRoot: Buffer | undefined): { signing_root?: string } {
  return signingRoot ? { signing_root: formatHex(signingRoot) } : {}
}

/** One history for each key, without duplicates: EIP-3076 allows several in a file. */
function joinHistories(histories: readonly SigningHistory[]): SigningHistory[] {
  const joined = new Map<string, { pubkey: Buffer; blocks: Map<string, SignedBlock>; attestations: Map<string, SignedAttestation> }>()
  for (const { pubkey, blocks, attestations } of histories) {
    const id = pubkey.toString('hex')
    const own = joined.get(id) ?? { pubkey, blocks: new Map(), attestations: new Map() }
    joined.set(id, own)
    for (const block of blocks) own.blocks.set(`${block.slot} ${rootOf(block)}`, block)
    for (const each of attestations) own.attestations.set(`${each.sourceEpoch} ${each.targetEpoch} ${rootOf(each)}`, each)
  }
  return Array.from(joined.values(), ({ pubkey, blocks, attestations }) => ({
    pubkey,
    blocks: [...blocks.values()],
    attestations: [...attestations.values()],
  }))
}

function rootOf({ signingRoot }: { signingRoot?: Buffer }): string {
  return signingRoot?.toString('hex') ?? ''
}

/** Without signing roots: nothing may be signed a second time, not even the same message. */
function minimalHistory({ pubkey, blocks, attestations }: SigningHistory): SigningHistory {
  const slot = highest(blocks.map((block) => block.slot))
  const sourceEpoch = highest(attestations.map((attestation) => attestation.sourceEpoch))
  const targetEpoch = highest(attestations.map((attestation) => attestation.targetEpoch))
  return {
    pubkey,
    blocks: slot === undefined ? [] : [{ slot }],
    attestations: sourceEpoch === undefined || targetEpoch === undefined ? [] : [{ sourceEpoch, targetEpoch }],
  }
}

function highest(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((max, each) => (max === undefined || each > max ? each : max), undefined)
}

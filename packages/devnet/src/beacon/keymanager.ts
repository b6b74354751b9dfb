import { formatHex, parseHex } from '@trestle/ethereum/hex'
import { parseKeystore } from '@trestle/ethereum/keystore'
import { decryptKeystore } from '@trestle/ethereum/keystore-cipher.engine'
import {
  formatInterchange,
  type Interchange,
  maySignAttestation,
  maySignBlock,
  mergeInterchanges,
  minimalInterchange,
  parseInterchange,
  type SignedAttestation,
  type SigningHistory,
} from '@trestle/ethereum/slashing-protection'

export interface KeyOutcome {
  readonly status: 'imported' | 'duplicate' | 'deleted' | 'not_active' | 'not_found' | 'error'
  readonly message?: string
}

export interface SavedKeymanager {
  readonly keys: ReadonlyMap<string, Buffer>
  readonly feeRecipients: ReadonlyMap<string, string>
  readonly histories: ReadonlyMap<string, SigningHistory>
}

/** The keys of one validator client, and what each has signed. Public keys are lower-case hexadecimal with 0x. */
export class Keymanager {
  private readonly keys = new Map<string, Buffer>()
  private readonly feeRecipients = new Map<string, string>()
  /** The highest slot and epochs that each key signed. */
  private readonly histories = new Map<string, SigningHistory>()

  constructor(
    readonly name: string,
    private readonly defaultFeeRecipient: string,
    private readonly genesisValidatorsRoot: Buffer,
  ) {}

  list(): string[] {
    return [...this.keys.keys()]
  }

  holds(pubkey: string): boolean {
    return this.keys.has(pubkey)
  }

  keyOf(pubkey: string): Buffer | undefined {
    return this.keys.get(pubkey)
  }

  /** Throws if the history is of another chain: then nothing is imported. */
  protect(interchange: unknown): void {
    for (const history of parseInterchange(interchange, this.genesisValidatorsRoot).histories) this.record(history)
  }

  async import(keystore: unknown, password: string): Promise<KeyOutcome> {
    const parsed = parseKeystore(keystore)
    const pubkey = formatHex(parsed.pubkey)
    if (this.holds(pubkey)) return { status: 'duplicate' }
    const key = await decryptKeystore(parsed, password)
    // A concurrent request may have imported it meanwhile.
    if (this.holds(pubkey)) return { status: 'duplicate' }
    this.keys.set(pubkey, key)
    return { status: 'imported' }
  }

  remove(pubkey: string): KeyOutcome {
    this.feeRecipients.delete(pubkey)
    if (this.keys.delete(pubkey)) return { status: 'deleted' }
    return { status: this.histories.has(pubkey) ? 'not_active' : 'not_found' }
  }

  /** The slashing protection (EIP-3076) of these keys. */
  exportOf(pubkeys: readonly string[]): object {
    const histories = pubkeys.map((pubkey) => this.histories.get(pubkey)).filter((history) => history !== undefined)
    return formatInterchange(this.interchangeOf(histories))
  }

  feeRecipientOf(pubkey: string): string {
    return this.feeRecipients.get(pubkey) ?? this.defaultFeeRecipient
  }

  setFeeRecipient(pubkey: string, address: string): void {
    this.feeRecipients.set(pubkey, address)
  }

  resetFeeRecipient(pubkey: string): void {
    this.feeRecipients.delete(pubkey)
  }

  /** The key for this vote, which is recorded first; undefined if an earlier vote forbids it. */
  keyToAttest(pubkey: string, vote: SignedAttestation): Buffer | undefined {
    const key = this.keys.get(pubkey)
    if (!key || !maySignAttestation(this.histories.get(pubkey) ?? NOTHING, vote)) return undefined
    this.record({ pubkey: parseHex(pubkey), blocks: [], attestations: [vote] })
    return key
  }

  keyToPropose(pubkey: string, slot: bigint): Buffer | undefined {
    const key = this.keys.get(pubkey)
    if (!key || !maySignBlock(this.histories.get(pubkey) ?? NOTHING, slot)) return undefined
    this.record({ pubkey: parseHex(pubkey), blocks: [{ slot }], attestations: [] })
    return key
  }

  save(): SavedKeymanager {
    return { keys: this.keys, feeRecipients: this.feeRecipients, histories: this.histories }
  }

  restore({ keys, feeRecipients, histories }: SavedKeymanager): void {
    for (const [pubkey, key] of keys) this.keys.set(pubkey, key)
    for (const [pubkey, address] of feeRecipients) this.feeRecipients.set(pubkey, address)
    for (const [pubkey, history] of histories) this.histories.set(pubkey, history)
  }

  private record(signed: SigningHistory) {
    const pubkey = formatHex(signed.pubkey)
    const before = this.histories.get(pubkey)
    const all = mergeInterchanges(this.interchangeOf(before ? [before] : []), this.interchangeOf([signed]))
    for (const history of minimalInterchange(all).histories) this.histories.set(pubkey, history)
  }

  private interchangeOf(histories: readonly SigningHistory[]): Interchange {
    return { genesisValidatorsRoot: this.genesisValidatorsRoot, histories }
  }
}

const NOTHING = { blocks: [], attestations: [] }

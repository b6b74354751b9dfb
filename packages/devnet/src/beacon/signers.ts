import type { SignedAttestation } from '@trestle/ethereum/slashing-protection'
import type { Keymanager, SavedKeymanager } from './keymanager.js'

interface DoubleSigner {
  readonly slot: number
  readonly pubkey: string
  readonly keymanagers: readonly string[]
}

export interface SavedSigners {
  readonly offline: ReadonlySet<string>
  readonly doubleSigners: readonly DoubleSigner[]
  readonly keymanagers: ReadonlyMap<string, SavedKeymanager>
}

/** Who signs for which validator: the beacon itself for those of the genesis, a keymanager for every other. */
export class ValidatorSigners {
  readonly offline = new Set<string>()
  readonly doubleSigners: DoubleSigner[] = []

  constructor(
    private readonly own: ReadonlyMap<string, Buffer>,
    readonly keymanagers: readonly Keymanager[],
    private readonly ownFeeRecipient: string,
  ) {}

  /** For what cannot be slashed: the sync committee, the randao. */
  keyOf(pubkey: string): Buffer | undefined {
    if (this.offline.has(pubkey)) return undefined
    return this.secretOf(pubkey)
  }

  keyToAttest(pubkey: string, vote: SignedAttestation): Buffer | undefined {
    if (this.offline.has(pubkey)) return undefined
    return this.own.get(pubkey) ?? firstOf(this.keymanagers, (keymanager) => keymanager.keyToAttest(pubkey, vote))
  }

  proposer(pubkey: string, slot: number): { readonly key: Buffer; readonly feeRecipient: string } | undefined {
    if (this.offline.has(pubkey)) return undefined
    const own = this.own.get(pubkey)
    if (own) return { key: own, feeRecipient: this.ownFeeRecipient }
    return firstOf(this.keymanagers, (keymanager) => {
      const key = keymanager.keyToPropose(pubkey, BigInt(slot))
      return key && { key, feeRecipient: keymanager.feeRecipientOf(pubkey) }
    })
  }

  /** Whether or not anybody may sign with it. */
  secretOf(pubkey: string): Buffer | undefined {
    return this.own.get(pubkey) ?? firstOf(this.keymanagers, (keymanager) => keymanager.keyOf(pubkey))
  }

  /** Notes every key that more than one keymanager holds in this slot. */
  watch(slot: number): void {
    const holders = new Map<string, string[]>()
    for (const keymanager of this.keymanagers)
      for (const pubkey of keymanager.list()) holders.set(pubkey, [...(holders.get(pubkey) ?? []), keymanager.name])
    for (const [pubkey, keymanagers] of holders) if (keymanagers.length > 1) this.doubleSigners.push({ slot, pubkey, keymanagers })
  }

  save(): SavedSigners {
    const { offline, doubleSigners } = this
    return { offline, doubleSigners, keymanagers: new Map(this.keymanagers.map((each) => [each.name, each.save()])) }
  }

  restore({ offline, doubleSigners, keymanagers }: SavedSigners): void {
    for (const pubkey of offline) this.offline.add(pubkey)
    this.doubleSigners.push(...doubleSigners)
    for (const keymanager of this.keymanagers) {
      const saved = keymanagers.get(keymanager.name)
      if (saved) keymanager.restore(saved)
    }
  }
}

function firstOf<T, R>(list: readonly T[], ask: (each: T) => R | undefined): R | undefined {
  for (const each of list) {
    const answer = ask(each)
    if (answer !== undefined) return answer
  }
  return undefined
}

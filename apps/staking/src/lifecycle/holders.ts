import type { Row } from './row.js'
import type { HoldersSeen } from './steps.js'

/** Validators that are to be looked at whatever is known of them. */
export type Changed = 'everything' | readonly Buffer[]

const MOST_CHANGED = 1_000

/** Which keys the signers list, by region; a region whose signer did not answer is not among them. */
export class Holders {
  private readonly keys: ReadonlyMap<string, ReadonlySet<string>>

  constructor(lists: ReadonlyMap<string, readonly Buffer[]>) {
    this.keys = new Map(Array.from(lists, ([region, keys]) => [region, new Set(keys.map((key) => key.toString('hex')))]))
  }

  /** Undefined: its own signer did not say. */
  seen({ pubkey, region }: Pick<Row, 'pubkey' | 'region'>): HoldersSeen | undefined {
    const key = pubkey.toString('hex')
    const own = this.keys.get(region)
    const others = [...this.keys].filter(([name]) => name !== region)
    return own && { held: own.has(key), heldElsewhere: others.some(([, keys]) => keys.has(key)) }
  }

  /** The keys that a signer lists and did not then, or the other way round; `everything` where these are many, or one did not answer then. */
  changedSince(earlier: Holders | undefined): Changed {
    const changed: string[] = []
    for (const [region, keys] of this.keys) {
      const before = earlier?.keys.get(region)
      if (!before) return 'everything'
      changed.push(...missingIn(keys, before), ...missingIn(before, keys))
    }
    return changed.length > MOST_CHANGED ? 'everything' : changed.map((key) => Buffer.from(key, 'hex'))
  }
}

function missingIn(others: ReadonlySet<string>, keys: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => !others.has(key))
}

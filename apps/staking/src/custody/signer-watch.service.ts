import { createHash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { LifecycleAlarmsService } from '../lifecycle/lifecycle-alarms.service.js'
import { PassTimesService } from '../lifecycle/pass-times.service.js'
import type { SignerBinding } from '../lifecycle/steps.js'
import { SignersService } from '../signers/signers.service.js'
import { type KeyCount, regionSignerAfter, type SignerContact, type SignerRecord } from './region-signer.js'
import { RegionSignersRepository } from './region-signers.repository.js'

/** How often it is stored that nothing has changed. */
const SAVE_MS = 60_000
/** After so long it is an alarm that a signer does not answer: about an epoch of mainnet. */
const AWAY_MS = 5 * 60_000
const UNKNOWN_LOGGED = 5

const NONE: KeyCount = { expected: 0, found: 0, unknown: 0 }

/** Compares what answers for each region with the signer that the region is bound to, before anything is imported. */
@Injectable()
export class SignerWatchService {
  /** The last count, by chain and region: it changes only with the keys that are listed. */
  private readonly counted = new Map<string, { readonly digest: string; readonly count: KeyCount }>()

  constructor(
    private readonly repository: RegionSignersRepository,
    private readonly signers: SignersService,
    private readonly alarms: LifecycleAlarmsService,
    private readonly times: PassTimesService,
  ) {}

  /** Keys are asked of these signers only. */
  async bind(chain: string, regions: readonly string[]): Promise<Map<string, SignerRecord>> {
    const stored = new Map((await this.repository.list(chain)).map((signer) => [signer.region, signer]))
    for (const region of regions) await this.signers.of(chain, region).bindTo(stored.get(region)?.identity)
    return stored
  }

  /** The bindings of the regions whose own signer answered. */
  async compare(
    chain: string,
    lease: Lease,
    stored: ReadonlyMap<string, SignerRecord>,
    contacts: ReadonlyMap<string, SignerContact>,
  ): Promise<Map<string, SignerBinding>> {
    const now = this.times.now()
    const bindings = new Map<string, SignerBinding>()
    const changes: SignerRecord[] = []
    for (const [region, contact] of contacts) {
      const before = stored.get(region)
      const after = regionSignerAfter({ chain, region }, before, contact, { count: await this.count(chain, region, contact), now })
      if (isDue(before, after)) changes.push(after)
      await this.warn(after, contact)
      if (contact.kind !== 'listed' || after.other || after.identity === undefined) continue
      bindings.set(region, { identity: after.identity, watchedSince: after.watchedSince })
      await this.signers.of(chain, region).bindTo(after.identity)
    }
    if (changes.length > 0) await this.repository.save(lease, changes, stored)
    return bindings
  }

  /** Counted again only if the keys changed, or none of those that it should have was there. */
  private async count(chain: string, region: string, contact: SignerContact): Promise<KeyCount> {
    if (contact.kind !== 'listed') return NONE
    const digest = createHash('sha256').update(Buffer.concat(contact.keys)).digest('hex')
    const last = this.counted.get(`${chain} ${region}`)
    if (last?.digest === digest && last.count.found > 0) return last.count
    const count = await this.repository.count(chain, region, contact.keys)
    this.counted.set(`${chain} ${region}`, { digest, count })
    return count
  }

  private async warn({ chain, region, other, away, unknownKeys, watchedAt }: SignerRecord, contact: SignerContact): Promise<void> {
    if (other) this.alarms.raiseForSigner('other-signer', { chain, region }, { identity: other.identity, reason: other.reason })
    if (away && watchedAt.getTime() - away.since.getTime() >= AWAY_MS)
      this.alarms.raiseForSigner('signer-away', { chain, region }, { reason: away.reason })
    if (unknownKeys === 0 || contact.kind !== 'listed') return
    const isNew = this.alarms.raiseForSigner('unknown-keys', { chain, region }, { keys: unknownKeys })
    if (!isNew) return
    for (const key of await this.repository.unknownOf(contact.keys, UNKNOWN_LOGGED))
      this.alarms.note(key, { chain, region }, 'a signer has a key that no validator has')
  }
}

function isDue(before: SignerRecord | undefined, after: SignerRecord): boolean {
  return !before || textOf(before) !== textOf(after) || after.watchedAt.getTime() - before.watchedAt.getTime() >= SAVE_MS
}

function textOf({ watchedAt: _, ...signer }: SignerRecord): string {
  return JSON.stringify(
    Object.entries(signer)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )
}

import { Injectable } from '@nestjs/common'
import { ChainsService } from '../chains/chains.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import type { SignerPass } from './signer-pass.js'
import { silenceAfter } from './silence.js'
import { importObstacle, isCurrent, type KeyPresence, needsWatching, type SignerStep } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

type WatchedRecord = ValidatorRecord & { readonly chain: { readonly index: number } }

/** Whether the newest epochs are final: a node that does not hear the others does not hear this validator either. */
const MAX_UNFINAL_EPOCHS = 4

/** Keeps account of who may have keys, and watches on the chain whether anybody signs with those that no signer lists. */
@Injectable()
export class KeyCustodyService {
  constructor(
    private readonly chains: ChainsService,
    private readonly repository: LifecycleRepository,
    private readonly alarms: LifecycleAlarmsService,
    private readonly failures: PassFailuresService,
  ) {}

  /** The records, with what the chain has shown up to now. */
  async watch(pass: SignerPass, records: readonly ValidatorRecord[]): Promise<readonly ValidatorRecord[]> {
    const { view, chain, lease } = pass
    const watched = records.filter((record): record is WatchedRecord => isWatched(pass, record))
    if (!view || watched.length === 0) return records
    const isTrusted = isCurrent(view.epoch, view.observationOf(watched[0] as WatchedRecord).now, chain)
    if (!isTrusted || view.epoch - view.finalizedEpoch > MAX_UNFINAL_EPOCHS || view.epoch === 0) return records
    const indices = watched.map((record) => record.chain.index)
    const seen = await this.failures.attempt(`liveness of ${chain.settings.name}`, lease, () =>
      this.chains.beacon(chain.settings.name).liveness(view.epoch, indices),
    )
    if (!seen) return records
    const silences = new Map(
      watched.map((record) => {
        const isLive = seen.live.has(record.chain.index)
        if (isLive) this.alarms.raise('signed-elsewhere', record.pubkey, { region: record.region })
        return [record.serial, silenceAfter(record.custody.silence, { epoch: seen.epoch, isLive })] as const
      }),
    )
    await this.repository.saveSilences(
      lease,
      Array.from(silences, ([serial, silence]) => ({ serial, silence })),
    )
    return records.map((record) =>
      silences.has(record.serial) ? { ...record, custody: { ...record.custody, silence: silences.get(record.serial) } } : record,
    )
  }

  /** Whether its own signer has the key. That another one does not have it proves nothing. */
  async record({ lease, view, chain }: SignerPass, record: ValidatorRecord, presence: KeyPresence, step: SignerStep): Promise<void> {
    this.warn(record, presence)
    const { held, binding } = presence
    const { listedAt, lostAt, identity } = record.custody
    const isNews = !listedAt || lostAt !== undefined || record.signer.releasedAt !== undefined || (binding && identity !== binding.identity)
    if (held && step === 'keep' && isNews) await this.repository.saveListed(lease, record, binding?.identity)
    if (held || !binding || lostAt) return
    const obstacle = importObstacle(record, presence, view?.observationOf(record), chain)
    if (listedAt || obstacle === 'not-allowed') await this.repository.saveLost(lease, record)
  }

  private warn({ pubkey, region, signer }: ValidatorRecord, { held, heldElsewhere }: KeyPresence): void {
    if (heldElsewhere) this.alarms.raise('held-elsewhere', pubkey, { region })
    if (held && signer.releasedAt) this.alarms.raise('held-after-release', pubkey, { region })
    if (!held && signer.readyAt) this.alarms.raise('lost-by-signer', pubkey, { region })
  }
}

function isWatched({ holders, view }: SignerPass, record: ValidatorRecord): boolean {
  const presence = holders.presenceOf(record)
  return (
    presence !== undefined &&
    view !== undefined &&
    record.chain.index !== undefined &&
    needsWatching(record, presence, view.observationOf(record))
  )
}

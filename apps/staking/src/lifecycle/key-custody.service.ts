import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainsService } from '../chains/chains.service.js'
import type { SeenValidators } from '../chains/liveness.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import type { SignerPass } from './signer-pass.js'
import { silenceAfter } from './silence.js'
import { importObstacle, isCurrent, isOnDuty, type KeyPresence, needsWatching, type SignerStep } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

type WatchedRecord = ValidatorRecord & { readonly chain: { readonly index: number } }

/** Whether the newest epochs are final: a node that does not hear the others does not hear this validator either. */
const MAX_UNFINAL_EPOCHS = 4

/** One epoch may be missed by a vote that came late. */
const ALARMING_EPOCHS = 2

/** Keeps account of who may have keys, and watches on the chain whether anybody signs with those that no signer lists. */
@Injectable()
export class KeyCustodyService {
  /** Of each active validator, the current epoch when it was last counted whether its duties were missed. */
  private readonly countedEpochs = new Map<number, number>()

  constructor(
    private readonly chains: ChainsService,
    private readonly repository: LifecycleRepository,
    private readonly alarms: LifecycleAlarmsService,
    private readonly failures: PassFailuresService,
  ) {}

  /** The records, with what the chain has shown up to now. */
  async watch(pass: SignerPass, records: readonly ValidatorRecord[]): Promise<readonly ValidatorRecord[]> {
    const { view, lease } = pass
    if (!view) return records
    const lost = records.filter((record): record is WatchedRecord => isWatched(pass, record))
    const active = records.filter(
      (record): record is WatchedRecord => isOnDuty(view.observationOf(record)) && this.isUnseen(record, view.epoch),
    )
    const seen = await this.liveness(pass, [...lost, ...active])
    if (!seen) return records
    await this.countMissed(lease, active, seen)
    const silences = new Map(
      lost.map((record) => {
        const isLive = seen.live.has(record.chain.index)
        if (isLive) this.alarms.raise('signed-elsewhere', record.pubkey, { region: record.region })
        return [record.serial, silenceAfter(record.custody.silence, { epoch: seen.epoch, isLive })] as const
      }),
    )
    const silent = Array.from(silences, ([serial, silence]) => ({ serial, silence }))
    if (silent.length > 0) await this.repository.saveSilences(lease, silent)
    return records.map((record) =>
      silences.has(record.serial) ? { ...record, custody: { ...record.custody, silence: silences.get(record.serial) } } : record,
    )
  }

  /** Undefined if no node can be trusted to have seen them. */
  private async liveness({ view, chain, lease }: SignerPass, records: readonly WatchedRecord[]): Promise<SeenValidators | undefined> {
    const [first] = records
    if (!view || !first || view.epoch === 0) return undefined
    const isTrusted = isCurrent(view.epoch, view.observationOf(first).now, chain)
    if (!isTrusted || view.epoch - view.finalizedEpoch > MAX_UNFINAL_EPOCHS) return undefined
    const indices = [...new Set(records.map((record) => record.chain.index))]
    const { name } = chain.settings
    return this.failures.attempt(`liveness of ${name}`, lease, () => this.chains.beacon(name).liveness(view.epoch, indices))
  }

  /** Each epoch counts once in this process. */
  private isUnseen({ serial, chain }: ValidatorRecord, epoch: number): boolean {
    return chain.index !== undefined && (this.countedEpochs.get(serial) ?? -1) < epoch
  }

  private async countMissed(lease: Lease, active: readonly WatchedRecord[], { epoch, live }: SeenValidators): Promise<void> {
    const changes: { serial: number; missedEpochs: number }[] = []
    for (const { serial, pubkey, region, custody, chain } of active) {
      this.countedEpochs.set(serial, epoch + 1)
      const before = custody.missedEpochs ?? 0
      const missedEpochs = live.has(chain.index) ? 0 : before + 1
      if (missedEpochs !== before) changes.push({ serial, missedEpochs })
      if (missedEpochs >= ALARMING_EPOCHS) this.alarms.raise('missing-duties', pubkey, { region, missedEpochs })
    }
    if (changes.length > 0) await this.repository.saveMissed(lease, changes)
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

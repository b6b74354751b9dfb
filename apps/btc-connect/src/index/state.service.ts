import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { ChainTip } from '../node/block-source.js'
import { RULES } from '../settings.module.js'
import { rowRules } from './block-rows.js'
import type { WriterCondition } from './condition.js'
import type { IndexPhase } from './phase.js'
import { INDEX_SETTINGS, type IndexSettings } from './settings.js'
import { type IndexIdentity, StateRepository } from './state.repository.js'
import { trackingDigest, trackingOf } from './tracking.js'
import { WriterService } from './writer.service.js'
import type { WriterRun } from './writer-run.js'

/** Opens the index for writing and records the condition of the writer. */
@Injectable()
export class StateService {
  constructor(
    private readonly writer: WriterService,
    private readonly states: StateRepository,
    @Inject(RULES) private readonly rules: ChainRules,
    @Inject(INDEX_SETTINGS) private readonly settings: IndexSettings,
  ) {}

  /** Waits for the lease. */
  async begin(stop: AbortSignal): Promise<WriterRun> {
    const signal = AbortSignal.any([await this.writer.begin(stop), stop])
    const { secret } = await this.writer.transaction((client) => this.states.open(client, this.identity()))
    const tracking = trackingOf(this.settings.track)
    return { signal, settings: this.settings, chain: this.rules, rules: rowRules(secret, tracking, this.rules) }
  }

  end(): Promise<void> {
    return this.writer.end()
  }

  async phase(): Promise<IndexPhase> {
    return (await this.states.get()).phase
  }

  /** Records a condition, unless it is recorded already. */
  async report(condition: WriterCondition, node?: ChainTip): Promise<void> {
    const recorded = await this.states.get()
    const isRecorded = recorded.condition.name === condition.name && recorded.condition.detail === condition.detail
    if (isRecorded && (!node || recorded.nodeHash?.equals(node.hash))) return
    await this.writer.transaction((client) => this.states.updateCondition(client, { condition, node }))
  }

  private identity(): IndexIdentity {
    const { genesisHash } = this.rules
    const { startHeight, track } = this.settings
    return { genesisHash, startHeight, tracked: trackingDigest(track) }
  }
}

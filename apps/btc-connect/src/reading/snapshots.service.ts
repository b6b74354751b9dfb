import { Inject, Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { scriptUuids } from '../index/script-keys.js'
import { ENV } from '../settings.module.js'
import { notReady } from './refusals.js'
import { SnapshotsRepository, type Tip } from './snapshots.repository.js'
import { requireTracked } from './tracked.js'

/** The index at one moment. */
export interface Snapshot {
  /** For repositories. */
  readonly client: PoolClient
  readonly tip: Tip
  /** The key of the owner of a script; Problem `NotFollowed` if the owner is not tracked. */
  keyOf(script: Buffer): string
}

@Injectable()
export class SnapshotsService {
  private readonly refuseOthers: (script: Buffer) => void

  constructor(
    private readonly snapshots: SnapshotsRepository,
    @Inject(ENV) { TRACK }: Pick<BtcConnectEnv, 'TRACK'>,
  ) {
    this.refuseOthers = requireTracked(TRACK)
  }

  /** Problem `NotReady` while the index is incomplete, when every balance would be zero. */
  read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.snapshots.read(async (client, state) => {
      if (!state?.tip) throw notReady(await this.snapshots.countLoaded(client), state?.nodeHeight)
      const { tip, secret } = state
      return work({ client, tip, keyOf: this.keyOf(secret) })
    })
  }

  private keyOf(secret: Buffer): Snapshot['keyOf'] {
    const keyOf = scriptUuids(secret)
    return (script) => {
      this.refuseOthers(script)
      return keyOf(script)
    }
  }
}

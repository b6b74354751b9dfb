import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { BenchPlatform } from './platform.ts'
import { cpuSeconds, familyCpuSeconds } from './process.ts'

type Stage = 'load' | 'merge' | 'tip'

/** The cost of a stage of indexing: wall-clock seconds, and CPU seconds of each process. */
export interface Cost {
  readonly seconds: number
  readonly indexer: number
  readonly postgres: number
  readonly server: number
}

interface Sample extends Cost {
  readonly stage: Stage
  readonly height: number
  /** Active connections, and those of them that build an index. */
  readonly busy: number
  readonly indexing: number
}

const EVERY_MS = 100

const SAMPLE = `SELECT phase AS stage, coalesce((SELECT max(height) FROM btc.block), -1) AS height,
    count(*) FILTER (WHERE state = 'active')::int AS busy,
    count(*) FILTER (WHERE state = 'active' AND query ~* '^\\s*(create index|create unique index|alter table)')::int AS indexing
  FROM btc.index_state LEFT JOIN pg_stat_activity ON usename = 'trestle_btc' GROUP BY phase`

/** Samples the progress of an index from outside, through its tables. */
export class IndexWatch {
  private readonly samples: Sample[] = []
  private readonly db: pg.Client
  private readonly pids: { indexer: number; postgres: number; server: number }
  private readonly started = performance.now()

  constructor(platform: BenchPlatform, indexer: number, server: number) {
    this.db = new pg.Client(platform.info.postgres)
    this.pids = { indexer, postgres: platform.postgresPid, server }
  }

  /** Resolves when the index has this height. */
  async until(height: number): Promise<void> {
    await this.db.connect()
    for (;;) {
      const { rows } = await this.db.query<Pick<Sample, 'stage' | 'height' | 'busy' | 'indexing'>>(SAMPLE)
      if (rows[0]) this.samples.push({ ...rows[0], ...this.spent() })
      if (rows[0]?.stage === 'tip' && rows[0].height >= height) break
      await pause(EVERY_MS)
    }
    await this.db.end()
  }

  /** From the start to the end, or of the last run of a stage: an empty index is briefly at the tip, too. */
  cost(stage?: Stage): Cost {
    const last = stage ? this.samples.findLastIndex((sample) => sample.stage === stage) : this.samples.length - 1
    const from = this.samples.slice(0, last + 1).findLast((sample) => stage && sample.stage !== stage)
    const to = this.samples[last]
    const difference = (which: keyof Cost) => (to?.[which] ?? 0) - (from?.[which] ?? 0)
    return {
      seconds: difference('seconds'),
      indexer: difference('indexer'),
      postgres: difference('postgres'),
      server: difference('server'),
    }
  }

  /** The part of a stage's statements that built indexes. */
  indexingShare(stage: Stage): number {
    const sum = (which: 'busy' | 'indexing') =>
      this.samples.filter((sample) => sample.stage === stage).reduce((all, sample) => all + sample[which], 0)
    return sum('indexing') / Math.max(1, sum('busy'))
  }

  private spent(): Cost {
    return {
      seconds: (performance.now() - this.started) / 1000,
      indexer: cpuSeconds(this.pids.indexer),
      postgres: familyCpuSeconds(this.pids.postgres),
      server: cpuSeconds(this.pids.server),
    }
  }
}

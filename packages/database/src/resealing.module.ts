import { type DynamicModule, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { Pool } from 'pg'

/** A column with something sealed. The names are constants of the service. */
interface SealedColumn {
  readonly table: string
  /** The primary key: text or bytea. */
  readonly id: string
  readonly column: string
}

interface Resealer {
  readonly hasOlderKeys: boolean
  /** The same text sealed with the newest key; nothing if it already is. */
  reseal(sealed: Buffer, id: Buffer): Buffer | undefined
}

interface SealedRow {
  readonly id: string | Buffer
  readonly sealed: Buffer
}

abstract class ResealingOptions {
  abstract readonly sealer: Resealer
  abstract readonly columns: readonly SealedColumn[]
}

const EVERY_MS = 5 * 60_000
const BATCH = 500

@Injectable()
class ResealingJob implements OnApplicationBootstrap {
  constructor(
    private readonly pool: Pool,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
    private readonly options: ResealingOptions,
  ) {}

  // Again and again: a replica that still runs with the old order of keys seals with the old one.
  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'seal with the newest key', async () => {
      let resealed = 0
      for (const column of this.options.columns) resealed += await this.reseal(column)
      this.logger.info({ resealed }, 'everything stored is sealed with the newest key')
    })
  }

  private async reseal(column: SealedColumn): Promise<number> {
    let resealed = 0
    for (let rows = await this.read(column); rows.length > 0; rows = await this.read(column, rows.at(-1))) {
      const changes = rows.flatMap(({ id, sealed }) => {
        const changed = this.options.sealer.reseal(sealed, Buffer.from(id))
        return changed ? [{ id, sealed, changed }] : []
      })
      if (changes.length > 0) await this.write(column, changes)
      resealed += changes.length
    }
    return resealed
  }

  private async read({ table, id, column }: SealedColumn, after?: SealedRow): Promise<SealedRow[]> {
    const condition = after ? `AND ${id} > $1` : ''
    const select = `SELECT ${id} AS id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ${condition} ORDER BY ${id} LIMIT ${BATCH}`
    return (await this.pool.query<SealedRow>(select, after && [after.id])).rows
  }

  /** Where another process has changed a row since, its change stays. */
  private async write({ table, id, column }: SealedColumn, changes: readonly (SealedRow & { changed: Buffer })[]): Promise<void> {
    const type = typeof changes[0]?.id === 'string' ? 'text' : 'bytea'
    const update = `UPDATE ${table} AS stored SET ${column} = given.changed
      FROM unnest($1::${type}[], $2::bytea[], $3::bytea[]) AS given (id, sealed, changed)
      WHERE stored.${id} = given.id AND stored.${column} = given.sealed`
    await this.pool.query(update, [changes.map((each) => each.id), changes.map((each) => each.sealed), changes.map((each) => each.changed)])
  }
}

/** While a service has older sealing keys, too, seals with the newest what they sealed, so that they can be removed. */
@Module({})
export class ResealingModule {
  static forRoot(options: ResealingOptions): DynamicModule {
    const providers = options.sealer.hasOlderKeys ? [{ provide: ResealingOptions, useValue: options }, ResealingJob] : []
    return { module: ResealingModule, providers }
  }
}

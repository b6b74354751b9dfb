import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { Pool } from 'pg'
import { sqlStateOf } from './database-problem.js'

// SQLSTATE: what is undefined is a table, a column, a function, a type, or the index that ON CONFLICT names.
const UNDEFINED = new Set(['42P01', '42703', '42883', '42704', '42P10'])

/** Whether a service's schema has all the migrations that this release brings. */
export class SchemaCheck {
  private isUpToDate = false

  constructor(
    private readonly pool: Pool,
    /** In Prisma's layout. */
    private readonly folder: string,
  ) {}

  /** Rejects while migrations are pending; once they are applied they stay so. Others, of a later release, do no harm. */
  async check(): Promise<void> {
    if (this.isUpToDate) return
    const applied = new Set(await this.applied())
    const pending = (await namesIn(this.folder)).filter((name) => !applied.has(name))
    if (pending.length > 0) throw new Error(`Migrations are pending: ${pending.join(', ')}. Run the migration job.`)
    this.isUpToDate = true
  }

  /** What a missing table or column means until all migrations are known to be applied. */
  problemOf(error: unknown): Problem | undefined {
    if (this.isUpToDate || !UNDEFINED.has(sqlStateOf(error) ?? '')) return undefined
    return new Problem('unavailable', 'MigrationsPending', 'The service is being upgraded; try again.', {
      cause: error,
      headers: retryAfter(5),
    })
  }

  private async applied(): Promise<string[]> {
    const done = 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'
    const { rows } = await this.pool.query<{ migration_name: string }>(done).catch((error: unknown) => {
      // No migration was ever applied.
      if (sqlStateOf(error) === '42P01') return { rows: [] }
      throw error
    })
    return rows.map(({ migration_name }) => migration_name)
  }
}

/** The folder of a service's migrations in this repository, and in the image. */
export function migrationsOf(service: string): string {
  return fileURLToPath(new URL(`../../../prisma/${service}/migrations`, import.meta.url))
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Statement, statementsOf } from './statements.js'

export interface Migration {
  readonly name: string
  /** SHA-256 of the file, as Prisma stores it. */
  readonly checksum: string
  readonly statements: readonly Statement[]
}

export interface HistoryRow {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/** Reads a folder in Prisma's layout, oldest first. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(names.sort().map(async (name) => parseMigration(name, await readFile(join(folder, name, 'migration.sql'), 'utf8'))))
}

// Each file runs in one transaction, which belongs to the runner.
const TRANSACTION_CONTROL = /^(begin|start\s+transaction|commit|end|rollback|abort|prepare\s+transaction)\b/i

/** Parses a migration; refuses one that would end the transaction it runs in. */
export function parseMigration(name: string, script: string): Migration {
  const statements = statementsOf(script)
  const control = statements.find(({ text }) => TRANSACTION_CONTROL.test(text))
  if (control) throw new Error(`${name}/migration.sql, line ${control.line}: a migration is one transaction; remove "${control.text}"`)
  return { name, checksum: createHash('sha256').update(script).digest('hex'), statements }
}

/** The migrations that are not applied yet. Refuses a history that these files do not continue. */
export function pendingOf(migrations: readonly Migration[], history: readonly HistoryRow[]): Migration[] {
  const unfinished = history.find(({ finished_at }) => finished_at === null)
  if (unfinished) {
    throw new Error(
      `${unfinished.migration_name} was left half applied by another tool: repair the schema, then use "prisma migrate resolve".`,
    )
  }
  const applied = new Map(history.map(({ migration_name, checksum }) => [migration_name, checksum]))
  const changed = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed)
    throw new Error(
      `${changed.name}/migration.sql was changed after it had been applied: restore it, and put the change into a new migration.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

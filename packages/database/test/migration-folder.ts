import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = mkdtempSync(join(tmpdir(), 'trestle-migrations-'))
afterAll(() => rmSync(folders, { recursive: true }))

/** A folder in Prisma's layout with these scripts. */
export function migrationFolder(scripts: Record<string, string>): string {
  const folder = mkdtempSync(join(folders, 'prisma-'))
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n')
  for (const [name, script] of Object.entries(scripts)) addMigration(folder, name, script)
  return folder
}

/** Adds a migration, or changes it. */
export function addMigration(folder: string, name: string, script: string): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'migration.sql'), script)
}

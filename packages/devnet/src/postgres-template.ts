import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresHome } from './postgres-home.js'
import { WORKSPACE } from './workspace.js'

/** What initdb made, and the superuser's password. */
export interface PostgresData {
  readonly data: string
  readonly passwordFile: string
}

const TEMPLATES = join(WORKSPACE, '.data/postgres-templates')

/**
 * Copies the data of an earlier call, or has it made by `initdb`, which takes about a second of CPU, and keeps a copy.
 * Every copy has the same password: for throwaway servers only.
 */
export async function copyOrMake(
  { programs, user }: PostgresHome,
  target: PostgresData,
  initdb: () => Promise<void>,
  templates = TEMPLATES,
): Promise<void> {
  // The path of the programs names their version.
  const template = join(templates, createHash('sha256').update(`${programs} ${user?.uid}`).digest('hex').slice(0, 12))
  if (existsSync(template)) return copyInto(target, filesOf(template))
  await initdb()
  mkdirSync(dirname(template), { recursive: true, mode: 0o700 })
  const unfinished = mkdtempSync(`${template}.`)
  await copyInto(filesOf(unfinished), target)
  publish(unfinished, template)
}

function filesOf(folder: string): PostgresData {
  return { data: join(folder, 'data'), passwordFile: join(folder, 'password') }
}

async function copyInto(target: PostgresData, source: PostgresData): Promise<void> {
  // -a: Postgres insists on being the owner of its data.
  await promisify(execFile)('cp', ['-a', source.passwordFile, target.passwordFile])
  await promisify(execFile)('cp', ['-a', source.data, target.data])
}

function publish(unfinished: string, template: string): void {
  try {
    renameSync(unfinished, template)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    // Another process may have published the same meanwhile.
    if (!existsSync(template)) throw error
  }
}

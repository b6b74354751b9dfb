import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUrl, type Surroundings, variableOf } from './services.js'
import { hasMigrations, WORKSPACE } from './workspace.js'

const program = join(WORKSPACE, 'packages/database/dist/migrate-cli.js')

/** Makes the role and the schema of every app that has one, and brings the schema up to date. */
export async function migrate(apps: readonly string[], surroundings: Pick<Surroundings, 'databaseUrl' | 'secret'>): Promise<void> {
  const owners = [...new Set(apps)].filter(hasMigrations)
  const urls = owners.map((app) => [`${variableOf(app)}_DATABASE_URL`, databaseUrl(app, surroundings)])
  const env = { ...process.env, NODE_OPTIONS: '', ADMIN_DATABASE_URL: surroundings.databaseUrl, ...Object.fromEntries(urls) }
  await promisify(execFile)(process.execPath, [program, ...owners], { env, cwd: WORKSPACE }).catch(({ stdout, stderr, message }) => {
    throw new Error(`The database could not be brought up to date:\n${stderr || stdout || message}`)
  })
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Deployment } from '@trestle/contracts/areas'
import pg from 'pg'
import { databaseUrl, type ServiceContext, schemaOf, variableOf } from './services.js'
import { hasMigrations, WORKSPACE } from './workspace.js'

const program = join(WORKSPACE, 'packages/database/dist/migrate-cli.js')

/** Makes the role and the schema of every deployment that has one, and brings the schema up to date. */
export async function migrateSchemas(deployments: readonly Deployment[], surroundings: ServiceContext): Promise<void> {
  const owners = deployments
    .filter(({ app }) => hasMigrations(app))
    .map((deployment) => ({ ...deployment, schema: schemaOf(deployment, surroundings) }))
  const urls = owners.map(({ schema }) => [`${variableOf(schema)}_DATABASE_URL`, databaseUrl(schema, surroundings)])
  const env = { ...process.env, NODE_OPTIONS: '', ADMIN_DATABASE_URL: surroundings.databaseUrl, ...Object.fromEntries(urls) }
  const services = owners.map(({ app, schema }) => (schema === app ? app : `${app}:${schema}`))
  await promisify(execFile)(process.execPath, [program, ...services], { env, cwd: WORKSPACE }).catch(({ stdout, stderr, message }) => {
    throw new Error(`The database could not be brought up to date:\n${stderr || stdout || message}`)
  })
}

/** A chain that begins anew has none of what its service remembers. */
export async function forgetSchema(databaseUrl: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`).finally(() => client.end())
}

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@trestle/database/migrate'
import type { RunningService } from '@trestle/runtime/boot-service'
import type { ReadinessReport } from '@trestle/runtime/readiness'
import { eventually } from '@trestle/testing/eventually'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { type AccountsUnderTest, accountsClient, SOON_MS, startTestAccounts } from './accounts.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/accounts/migrations', import.meta.url))
const LATER = '99990101000000_later_release'

describe('a service of which migrations are pending', () => {
  let accounts: AccountsUnderTest
  let database: TestDatabase
  let replica: RunningService
  let folder: string

  beforeAll(async () => {
    accounts = await startTestAccounts()
    folder = mkdtempSync(join(tmpdir(), 'trestle-migrations-'))
    database = await freshDatabase({ schema: 'accounts' })
  })
  afterAll(async () => {
    await replica.stop()
    await accounts.stop()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  it('starts, and is not ready: it names them, and answers 503 where they are needed', async () => {
    replica = await accounts.replica({ DATABASE_URL: database.url })
    const { status, body } = await readyz(replica)
    expect(status).toBe(503)
    expect(body.checks).toMatchObject({ postgres: 'ok', migrations: 'failed' })
    expect(body.reasons?.['migrations']).toBe(`Migrations are pending: ${namesOf(MIGRATIONS).join(', ')}. Run the migration job.`)
    const client = accountsClient(replica)
    const answers = [
      await client.register('ada@example.org'),
      await client.call('PUT', '/users/ada@example.org/token/x'),
      await client.call('POST', '/auth', { basic: 'ada@example.org:not a password' }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'MigrationsPending']))
  })

  it('is ready once they are applied, without a restart', async () => {
    await migrate({ url: database.url, schema: 'accounts', folder: MIGRATIONS })
    await eventually(async () => (await readyz(replica)).status === 200 || undefined, 'the replica is ready', SOON_MS)
  })

  it('is ready on a schema that a later release has migrated', async () => {
    cpSync(MIGRATIONS, folder, { recursive: true })
    mkdirSync(join(folder, LATER))
    writeFileSync(join(folder, LATER, 'migration.sql'), 'CREATE TABLE later (id int);')
    expect(await migrate({ url: database.url, schema: 'accounts', folder })).toEqual([LATER])
    const rolledBack = await accounts.replica({ DATABASE_URL: database.url })
    await eventually(async () => (await readyz(rolledBack)).status === 200 || undefined, 'the replica is ready', SOON_MS)
    await rolledBack.stop()
  })
})

async function readyz({ internalUrl }: RunningService): Promise<{ status: number; body: ReadinessReport }> {
  const response = await fetch(`${internalUrl}/readyz`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function namesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

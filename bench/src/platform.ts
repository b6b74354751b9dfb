import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '@trestle/devnet/devnet'
import pg from 'pg'

export type BenchPlatform = Awaited<ReturnType<typeof startBenchPlatform>>

/** Settings of Postgres, by name. */
type PostgresSettings = Readonly<Record<string, string>>

/** The platform on random ports with temporary data, and what benchmarks need from it. */
export async function startBenchPlatform(only: string[], settings: PostgresSettings = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'trestle-bench-'))
  const devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only })
  const { demo, services, postgres } = devnet.info
  if (Object.keys(settings).length > 0) {
    await configure(postgres, settings)
    await devnet.restart('postgres')
  }
  const url = services.accounts?.url ?? ''
  const demoBasic = `Basic ${Buffer.from(`${demo.email}:${demo.password}`).toString('base64')}`

  async function signIn(): Promise<string> {
    const answer = await fetch(`${url}/auth`, { method: 'POST', headers: { authorization: demoBasic } })
    return ((await answer.json()) as { accessToken: string }).accessToken
  }

  return {
    info: devnet.info,
    dataDir,
    accounts: { url, pid: devnet.pidOf('accounts') },
    postgresPid: devnet.pidOf('postgres'),
    demoBasic,
    signIn,
    startReplica: devnet.startReplica,
    async createClientKey(): Promise<{ clientId: string; clientSecret: string }> {
      const headers = { authorization: `Bearer ${await signIn()}` }
      const answer = await fetch(`${url}/users/me/client-keys`, { method: 'POST', headers })
      return (await answer.json()) as { clientId: string; clientSecret: string }
    },
    /** Copies of the demo user under new addresses: verified, with a password hash of the same cost. */
    async insertUsers(count: number): Promise<string[]> {
      const emails = Array.from({ length: count }, () => `user-${randomUUID()}@example.org`)
      const db = new pg.Client({ connectionString: postgres })
      await db.connect()
      await db.query(
        `INSERT INTO accounts."user" (id, email, email_canonical, display_name, entity_type, billing_address, password_hash, verified_at, created_at, updated_at)
         SELECT 'user-' || gen_random_uuid(), e, e, display_name, entity_type, billing_address, password_hash, verified_at, created_at, updated_at
         FROM accounts."user", unnest($1::text[]) AS e WHERE id = $2`,
        [emails, demo.userId],
      )
      await db.end()
      return emails
    },
    async stop() {
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Takes effect at the next start. */
async function configure(url: string, settings: PostgresSettings): Promise<void> {
  const db = new pg.Client(url)
  await db.connect()
  for (const [name, value] of Object.entries(settings)) await db.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await db.end()
}

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@trestle/devnet/postgres'
import { throwawayRoot } from '@trestle/devnet/throwaway-root'
import { Client } from 'pg'

/** A Postgres server for one test file. */
export async function startServer() {
  const dir = mkdtempSync(join(throwawayRoot(), 'trestle-database-'))
  let postgres = await startPostgres({ dir, durable: false })
  const { url: adminUrl, port } = postgres

  return {
    adminUrl,
    /** The URL that a service would have; nothing is created yet. */
    urlOf: (user: string, database: string, password = "it's secret") =>
      Object.assign(new URL(adminUrl), { username: user, password: encodeURIComponent(password), pathname: encodeURI(database) }).href,
    /** With all of its processes: those of connections end a moment later than the one that is killed. */
    async kill() {
      const rows = await query(adminUrl, 'SELECT array_agg(pid) AS pids FROM pg_stat_activity')
      const [{ pids }] = rows as [{ pids: number[] }]
      postgres.process.kill('SIGKILL')
      await postgres.process.exited
      for (const pid of pids) killIfAlive(pid)
    },
    async restart() {
      postgres = await startPostgres({ dir, port, durable: false })
    },
    async stop() {
      await postgres.stop()
      rmSync(dir, { recursive: true })
    },
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** Runs one statement on a separate connection. */
export async function query(url: string, sql: string, values?: unknown[]): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Waits until another connection runs a statement like this. */
export async function untilRunning(url: string, pattern: string): Promise<void> {
  const running = 'SELECT FROM pg_stat_activity WHERE query LIKE $1 AND state = $2 AND pid <> pg_backend_pid()'
  while ((await query(url, running, [pattern, 'active'])).length === 0);
}

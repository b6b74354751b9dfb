import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import { ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { BillingEntry } from '@trestle/contracts/staking/reports'
import { startBeacon } from '@trestle/devnet/beacon/beacon'
import { findAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import type { RunningService } from '@trestle/runtime/boot-service'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import type { z } from 'zod'
import { readEnv } from '../src/env.js'
import { startStaking } from '../src/service.js'

export const STAKING_MIGRATIONS = fileURLToPath(new URL('../../../prisma/staking/migrations', import.meta.url))
const DEPOSIT_CONTRACT = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const VALUE = `0x${(32n * 10n ** 18n).toString(16)}`

interface StakingResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, parsed; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
}

/** Anvil, the dev beacon with two regions, Postgres, NATS, accounts' stand-in, and the whole service in front of them. */
export async function startStakingUnderTest(settings: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'staking-'))
  const anvil = await startAnvil({ dir, command: findAnvil(), chainId: 1337 })
  const [beacon, database, nats] = await Promise.all([
    startBeacon({ dir, anvilUrl: anvil.url, byHand: true, archive: true, seed: 'staking' }),
    freshDatabase({ schema: 'staking', migrations: STAKING_MIGRATIONS }),
    testNats(),
  ])
  const accounts = await startAccountsStandIn(nats)
  const regions = beacon.keymanagers.map(({ name, url, tokenFile }) => ({ name, signer: { kind: 'keymanager', url, tokenFile } }))
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'https://trestle.test',
    DATABASE_URL: database.url,
    ...nats.env('staking'),
    CHAINS: JSON.stringify([{ name: 'dev', beacons: [beacon.url], executions: [beacon.executionUrl], regions }]),
    KEY_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    RECONCILE_MS: '100',
    FEE_BASIS_POINTS: '800',
    ...settings,
  }
  const boot = async (more: Record<string, string> = {}) => ready(await startStaking(readEnv({ ...environment, ...more })))
  const service = await boot()
  const sql = new Pool({ connectionString: database.url, max: 2 })
  // The database may be dropped before a connection has ended.
  sql.on('error', () => {})
  return {
    service,
    accounts,
    beacon,
    anvil,
    database,
    nats,
    sql,
    environment,
    replica: boot,
    /** A user, in an organization if one is given. */
    user(organization?: { id: string; name: string }, ...roles: (keyof typeof ROLE_PERMISSIONS)[]) {
      const userId = `user-${randomUUID()}`
      const email = `${userId.slice(5, 13)}@example.org`
      accounts.users.push({ userId, email, displayName: `Person ${userId.slice(5, 9)}` })
      if (organization) {
        accounts.organizations.push({ organizationId: organization.id, name: organization.name })
        const permissions = roles.flatMap((role) => [...ROLE_PERMISSIONS[role]])
        // The service reads what it misses.
        void accounts.grant({ userId, organizationId: organization.id, permissions }).catch(() => {})
      }
      const token = accounts.issuer.account({ payload: { sub: userId } })
      const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        callStaking(service, { method, path, body, headers: { authorization: `Bearer ${token}`, ...headers } })
      return Object.assign(call, { userId, email, token })
    },
    async deposit(data: string, slots = 1) {
      const [from] = await anvil.rpc.call<string[]>('eth_accounts')
      await anvil.rpc.call('eth_sendTransaction', { from, to: DEPOSIT_CONTRACT, value: VALUE, data, gas: '0x30d40' })
      await advance({ slots })
    },
    advance,
    observed: () => untilObserved(sql),
    dev,
    async stop() {
      await sql.end()
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
      await beacon.stop()
      await anvil.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }

  function advance(by: { slots?: number; epochs?: number }): Promise<unknown> {
    return dev('advance', by)
  }

  async function dev(what: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${beacon.url}/dev/${what}`, sent)
    if (!answer.ok) throw new Error(`/dev/${what} answers ${answer.status}: ${await answer.text()}`)
    return answer.status === 200 ? answer.json() : undefined
  }
}
export type StakingUnderTest = Awaited<ReturnType<typeof startStakingUnderTest>>

export const BillingReport = BillingEntry.array()
export type BillingReport = z.infer<typeof BillingReport>

interface StakingRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Calls a path under /staking/ethereum. */
export async function callStaking({ url }: RunningService, { method, path, body, headers = {} }: StakingRequest): Promise<StakingResponse> {
  const response = await fetch(`${url}/staking/ethereum${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

async function ready(service: RunningService): Promise<RunningService> {
  await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the service is ready')
  return service
}

/** Resolves when the service has read the chain for every validator since now. */
async function untilObserved(sql: Pool): Promise<void> {
  const { rows } = await sql.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const text = 'SELECT count(*)::int AS unobserved FROM validator WHERE withdrawn_at IS NULL AND (observed_at IS NULL OR observed_at < $1)'
  await eventually(async () => {
    const unobserved = await sql.query<{ unobserved: number }>(text, [rows[0]?.now])
    return unobserved.rows[0]?.unobserved === 0 || undefined
  }, 'the chain is observed')
}

/** Every epoch before this one is in the ledger. */
export async function untilBooked(sql: Pool, epoch: number): Promise<void> {
  const booked = async () => (await sql.query<{ next_epoch: number }>('SELECT next_epoch FROM reward_cursor')).rows[0]?.next_epoch ?? 0
  await eventually(async () => (await booked()) >= epoch || undefined, 'all final epochs are booked', 60_000)
}

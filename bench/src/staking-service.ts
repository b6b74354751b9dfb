import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { freePorts } from '@trestle/devnet/ports'
import type { RunningProcess } from '@trestle/devnet/process'
import { startProgram } from '@trestle/devnet/programs'
import type { Platform } from './platform.ts'

const SCHEMA = 'staking'
const MIGRATIONS = new URL('../../prisma/staking/migrations', import.meta.url).pathname

/** The empty tables of the staking service; the URL is its role's. */
export async function createStakingSchema({ info }: Platform): Promise<string> {
  const url = Object.assign(new URL(info.postgres), { username: `trestle_${SCHEMA}`, password: randomBytes(18).toString('hex') }).href
  await provision({ adminUrl: info.postgres, url, schema: SCHEMA })
  await migrate({ url, schema: SCHEMA, folder: MIGRATIONS })
  return url
}

/** A staking service of this chain's node on these tables, beside the other services of the platform. */
export async function startStakingService(
  { info, dataDir }: Platform,
  settings: { role: 'worker' | 'api'; databaseUrl: string; beaconUrl: string },
): Promise<RunningProcess & { readonly url: string }> {
  const [port, internal] = await freePorts(2)
  const regions = [{ name: 'here', signer: { kind: 'web3signer', url: settings.beaconUrl } }]
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    DATABASE_URL: settings.databaseUrl,
    NATS_URL: info.nats,
    ACCOUNTS_INTERNAL_URL: info.services.accounts?.internalUrl ?? '',
    CHAINS: JSON.stringify([{ name: 'dev', beacons: [settings.beaconUrl], regions }]),
    KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ROLE: settings.role,
    // Validators are looked after once, at the start.
    RECONCILE_MS: '600000',
    FEE_BASIS_POINTS: '800',
  }
  const running = await startProgram(SCHEMA, { app: 'staking', env, log: join(dataDir, 'logs', `${SCHEMA}-${settings.role}.log`) })
  return { ...running, url: `http://127.0.0.1:${port}` }
}

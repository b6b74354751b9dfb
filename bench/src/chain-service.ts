import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { freePorts } from '@trestle/devnet/ports'
import type { RunningProcess } from '@trestle/devnet/process'
import { startProgram } from '@trestle/devnet/programs'
import type { Platform } from './platform.ts'

const SCHEMA = 'btc'
const MIGRATIONS = new URL('../../prisma/btc-connect/migrations', import.meta.url).pathname

export interface ChainService extends RunningProcess {
  readonly url: string
}

/** The empty tables of a btc-connect deployment; the URL is its role's. */
export async function createIndexSchema({ info }: Platform): Promise<string> {
  const url = Object.assign(new URL(info.postgres), { username: `trestle_${SCHEMA}`, password: randomBytes(18).toString('hex') }).href
  await provision({ adminUrl: info.postgres, url, schema: SCHEMA })
  await migrate({ url, schema: SCHEMA, folder: MIGRATIONS })
  return url
}

/** A btc-connect of regtest on these tables, beside the other services of the platform. */
export async function startChainService(
  { info, dataDir }: Platform,
  settings: { ROLE: 'indexer' | 'api'; DATABASE_URL: string; NODE_URL: string },
): Promise<ChainService> {
  const [port, internal] = await freePorts(2)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    NATS_URL: info.nats,
    ACCOUNTS_INTERNAL_URL: info.services.accounts?.internalUrl ?? '',
    CHAIN: 'btc',
    NETWORK: 'regtest',
    ...settings,
  }
  const running = await startProgram(SCHEMA, { app: 'btc-connect', env, log: join(dataDir, 'logs', `${SCHEMA}-${settings.ROLE}.log`) })
  return { ...running, url: `http://127.0.0.1:${port}` }
}

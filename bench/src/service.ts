import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { natsSeed } from '@trestle/devnet/nats-identities'
import { freePorts } from '@trestle/devnet/ports'
import type { RunningProcess } from '@trestle/devnet/process'
import { startProgram } from '@trestle/devnet/programs'
import { Secrets } from '@trestle/devnet/secrets'
import { WORKSPACE } from '@trestle/devnet/workspace'
import type { BenchPlatform } from './platform.ts'

export interface Service extends RunningProcess {
  readonly url: string
  readonly internalUrl: string
}

/** The empty tables of an app in a schema; the URL is its role's. */
export async function createSchema({ info }: BenchPlatform, app: string, schema: string): Promise<string> {
  const url = Object.assign(new URL(info.postgres), { username: `trestle_${schema}`, password: randomBytes(18).toString('hex') }).href
  await provision({ adminUrl: info.postgres, url, schema })
  await migrate({ url, schema, folder: join(WORKSPACE, 'prisma', app, 'migrations') })
  return url
}

/** One process of a built app, beside the other services of the platform. */
export async function startBuiltService(
  { info, dataDir }: BenchPlatform,
  { app, name, settings }: { app: string; name: string; settings: Readonly<Record<string, string>> },
): Promise<Service> {
  const [port, internal] = await freePorts(2)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    NATS_URL: info.nats,
    NATS_NKEY_SEED: natsSeed(new Secrets(dataDir), settings.CHAIN ?? app),
    TRUST_ROOTS: info.trustRoots,
    ACCOUNTS_INTERNAL_URL: info.services.accounts?.internalUrl ?? '',
    ...settings,
  }
  const running = await startProgram(name, { app, env, log: join(dataDir, 'logs', `${name}.log`) })
  return { ...running, url: `http://127.0.0.1:${port}`, internalUrl: `http://127.0.0.1:${internal}` }
}

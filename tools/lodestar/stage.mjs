// Lodestar's nodes, the accounts service, and the staking service with the validator client as its only region.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '../../packages/database/dist/migrate.js'
import { provision } from '../../packages/database/dist/provision.js'
import { startDevnet } from '../../packages/devnet/dist/devnet.js'
import { natsSeed } from '../../packages/devnet/dist/nats-identities.js'
import { freePorts } from '../../packages/devnet/dist/ports.js'
import { startProgram } from '../../packages/devnet/dist/programs.js'
import { Secrets } from '../../packages/devnet/dist/secrets.js'
import { WORKSPACE } from '../../packages/devnet/dist/workspace.js'
import { startBeaconNode, startExecution, startValidatorClient } from './nodes.mjs'

const SCHEMA = 'staking'
// Enough for a deposit before the chain's first slot: the first vote about the execution chain takes it in then, else the next, a minute later.
const GENESIS_IN_SECONDS = 45

export async function startStage({ lodestar, dir, step }) {
  const devnet = await step('Starting accounts', () =>
    startDevnet({ dataDir: join(dir, 'devnet'), ports: 'random', quiet: true, only: ['accounts'] }),
  )
  const anvil = await step('Starting anvil', () => startExecution(dir))
  const beacon = await step('Starting the beacon node', () => startBeaconNode(lodestar, { dir, anvil, genesisIn: GENESIS_IN_SECONDS }))
  const client = await step('Starting the validator client', () => startValidatorClient(lodestar, { dir, beacon }))
  const staking = await step('Starting staking', () => startStaking({ dir, anvil, beacon, client, info: devnet.info }))
  return {
    anvil,
    beacon,
    client,
    async signIn() {
      const { email, password } = devnet.info.demo
      const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
      const { accessToken } = await answerOf(`${devnet.info.services.accounts.url}/auth`, { method: 'POST', headers: { authorization } })
      return (method, path, body) => {
        const headers = { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) }
        return answerOf(`${staking.url}/staking/ethereum${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      }
    },
    async stop() {
      for (const { process } of [staking, client, beacon, anvil]) await process.stop()
      await devnet.stop()
    },
  }
}

async function startStaking({ dir, anvil, beacon, client, info }) {
  const databaseUrl = Object.assign(new URL(info.postgres), {
    username: `trestle_${SCHEMA}`,
    password: randomBytes(18).toString('hex'),
  }).href
  await provision({ adminUrl: info.postgres, url: databaseUrl, schema: SCHEMA })
  await migrate({ url: databaseUrl, schema: SCHEMA, folder: join(WORKSPACE, 'prisma', SCHEMA, 'migrations') })
  const signer = { kind: 'keymanager', url: client.url, tokenFile: client.tokenFile }
  const chain = { name: 'dev', beacons: [beacon.url], executions: [anvil.url], regions: [{ name: 'lodestar', signer }] }
  const [port, internal] = await freePorts(2)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    DATABASE_URL: databaseUrl,
    NATS_URL: info.nats,
    NATS_NKEY_SEED: natsSeed(new Secrets(join(dir, 'devnet')), SCHEMA),
    TRUST_ROOTS: info.trustRoots,
    ACCOUNTS_INTERNAL_URL: info.services.accounts.internalUrl,
    CHAINS: JSON.stringify([chain]),
    KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    RECONCILE_MS: '1000',
  }
  const process = await startProgram(SCHEMA, { app: SCHEMA, env, log: join(dir, 'staking.log') })
  return { url: `http://127.0.0.1:${port}`, process }
}

/** The JSON of an answer, or nothing where it has none. */
export async function answerOf(url, options) {
  const answer = await fetch(url, options)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${options?.method ?? 'GET'} ${new URL(url).pathname} is answered ${answer.status}: ${text}`)
  return text ? JSON.parse(text) : undefined
}

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentsOf } from '@trestle/contracts/areas'
import { CHAINS } from '@trestle/contracts/chains/chains'
import { authorization, natsUsers } from '@trestle/contracts/nats/authorization'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { publicNkey } from '@trestle/contracts/nats/nkey'
import { startNats } from '@trestle/devnet/nats'
import { newNatsSeed } from '@trestle/devnet/nkey'
import { workerFolder } from './worker-folder.js'

export interface TestNats {
  /** With the password of an administrator, who may do everything. */
  readonly url: string
  /** The same for `connect`, which reads no password in a URL. */
  readonly administrator: { readonly servers: string; readonly user: string; readonly pass: string }
  /** The environment of a deployment's process. */
  env(deployment: string): { NATS_URL: string; NATS_NKEY_SEED: string }
  /** SIGKILL: nothing is flushed. */
  kill(): Promise<void>
  /** Starts on the same port, with the same data. */
  start(): Promise<void>
  /** Restarts on the same port without its streams. */
  wipe(): Promise<void>
  stop(): Promise<void>
}

const IDENTITIES = identitiesOf(deploymentsOf(CHAINS))

/** Starts a nats-server with JetStream for one test, with an identity for every deployment that there can be, and more settings in its own language. */
export async function testNats(settings = ''): Promise<TestNats> {
  const dir = mkdtempSync(join(workerFolder(), 'nats-'))
  const seeds = new Map(IDENTITIES.map(({ name }) => [name, newNatsSeed()]))
  const password = randomUUID()
  const options = { dir, authorization: withAdministrator(password, seeds) + settings }
  let server = await startNats(options)
  const { url, port } = server
  const administrator = { servers: url, user: 'administrator', pass: password }

  async function kill() {
    server.process.kill('SIGKILL')
    await server.process.exited
  }
  async function start() {
    server = await startNats({ ...options, port })
  }
  async function wipe() {
    await kill()
    rmSync(join(dir, 'jetstream'), { recursive: true, force: true })
    await start()
  }
  async function stop() {
    await server.stop()
    rmSync(dir, { recursive: true })
  }
  function env(deployment: string) {
    const seed = seeds.get(deployment)
    if (!seed) throw new Error(`No deployment is called ${deployment}.`)
    return { NATS_URL: url, NATS_NKEY_SEED: seed }
  }
  return { url: url.replace('//', `//administrator:${password}@`), administrator, env, kill, start, wipe, stop }
}

function withAdministrator(password: string, seeds: ReadonlyMap<string, string>): string {
  const users = natsUsers(IDENTITIES, ({ name }) => publicNkey(seeds.get(name) ?? ''))
  return authorization(users).replace('users: [', `users: [\n    { user: administrator, password: "${password}" }`)
}

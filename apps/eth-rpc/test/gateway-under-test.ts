import { randomUUID } from 'node:crypto'
import { eventually } from '@trestle/testing/eventually'
import { readEnv } from '../src/env.js'
import { startEthRpc } from '../src/service.js'
import { callManagement, startSurroundings } from './management.js'

/** A whole gateway in front of these nodes, with a database and a NATS of its own. */
export async function startEthRpcUnderTest(upstreams: string, settings: Record<string, string> = {}) {
  const { database, nats, accounts, environment: own } = await startSurroundings()
  const environment: Record<string, string> = { ...own, CHAIN_ID: '31337', POLL_MS: '100', UPSTREAMS: upstreams, ...settings }
  const boot = async (more: Record<string, string> = {}) => {
    const service = await startEthRpc(readEnv({ ...environment, ...more }))
    await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the gateway is ready')
    return service
  }
  const service = await boot()
  const token = accounts.issuer.account()
  return {
    service,
    nats,
    token,
    /** What another process is to be started with. */
    environment,
    /** Of everybody's tokens. */
    issuer: accounts.issuer,
    publish: accounts.publish,
    /** What accounts has received. */
    activities: accounts.activities,
    countResources: accounts.countResources,
    revoke: accounts.revoke,
    /** Another process on the same database, NATS and nodes. */
    replica: boot,
    /** The address of a project of its own. */
    async project(settings: object = {}, { at = service, owner = token } = {}): Promise<string> {
      const { body } = await callManagement(service, 'POST', '/projects', { token: owner, body: { name: randomUUID(), ...settings } })
      return `${at.url}/v1/${body.id}`
    },
    async stop() {
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
    },
  }
}
export type EthRpcUnderTest = Awaited<ReturnType<typeof startEthRpcUnderTest>>

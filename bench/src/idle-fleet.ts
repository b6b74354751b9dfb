import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createPool } from '@trestle/database/pool'
import { WORKSPACE } from '@trestle/devnet/workspace'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'

// The reconciler of the built app, over a driver that only remembers: it makes a machine at once, and all machines are one stub.
// node idle-fleet.ts <database> <stub> <how many more to hold>

const [databaseUrl = '', stub = '', more = '0'] = process.argv.slice(2)
const { hostname: host, port } = new URL(stub)
const address = { host, port: Number(port) }

const of = async (path: string) => import(join(WORKSPACE, 'apps/nodes/dist', path))
const { builtInCatalogue, findByImage } = await of('catalogue/catalogue.js')
const { WorkloadsRepository } = await of('workloads/workloads.repository.js')
const { credentialsDigest } = await of('workloads/workload.js')
const { NodeSealer } = await of('sealing/node-sealer.service.js')
const { Probe } = await of('software/probe.client.js')
const { Changes } = await of('reconciler/changes.service.js')
const { DueWorkloads } = await of('reconciler/due-workloads.service.js')
const { WorkloadLooker } = await of('reconciler/workload-looker.service.js')
const { MachineLooker } = await of('reconciler/machine-looker.service.js')
const { MachineSteps } = await of('reconciler/machine-steps.service.js')
const { ReconcilerRepository } = await of('reconciler/reconciler.repository.js')
const { Reconciler } = await of('reconciler/reconciler.service.js')
const { WakeUps } = await of('reconciler/wake-ups.service.js')

const running = new Set<string>()
const driver = {
  observe: async ({ id }: { id: string }) => (running.has(id) ? { running: true, matches: true, address } : undefined),
  apply: async ({ id }: { id: string }) => void running.add(id),
  onChange: () => {},
}
const broadcasts = { say: () => true, hear: () => {} }
const logger = createLogger('fleet', 'warn')
const clock = new Clock()
const pool = createPool({ url: databaseUrl, schema: 'nodes' })
const sealer = new NodeSealer({ KEY_ENCRYPTION_KEYS: [Buffer.alloc(32, 1)] })
const repository = new ReconcilerRepository(pool, broadcasts)
const machines = new MachineLooker(new MachineSteps(driver, sealer), new Probe(), clock, logger)
const looker = new WorkloadLooker(new Changes(repository, sealer, clock), machines, clock, { RECONCILE_MS: 30_000 })
const due = new DueWorkloads(repository, clock)
const reconciler = new Reconciler(due, looker, new WakeUps(broadcasts, driver, repository, logger), logger)

await hold(Number(more))
// After this line its CPU is the reconciler's alone.
console.log('reconciling')
const end = new AbortController()
process.on('SIGTERM', () => end.abort())
const lease = await due.begin(end.signal)
await reconciler.run(lease, AbortSignal.any([end.signal, lease.signal]))
await lease.release()
await pool.end()
process.exit()

async function hold(count: number): Promise<void> {
  const workloads = new WorkloadsRepository(pool, broadcasts)
  const blueprint = findByImage(builtInCatalogue('local'), 'eth', 'standard')
  const auth = { type: 'basic', user: 'u', sealedPassword: Buffer.of(1), digest: credentialsDigest('u', 'p') }
  const now = new Date()
  const common = {
    kind: 'node',
    blueprint,
    capacity: 1,
    auth,
    allowedIps: [],
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  }
  for (let i = 0; i < count; i++) await workloads.add({ ...common, id: `node-${randomUUID()}`, userId: `user-${i}` }, () => {})
}

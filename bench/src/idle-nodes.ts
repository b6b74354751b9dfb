import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createPool } from '@trestle/database/pool'
import { WORKSPACE } from '@trestle/devnet/workspace'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'

// The reconciler of the built app, over a driver in memory: it creates a machine at once, and all machines are one stub.
// node idle-nodes.ts <database> <stub> <how many nodes to add>

const [databaseUrl = '', stub = '', more = '0'] = process.argv.slice(2)
const { hostname: host, port } = new URL(stub)
const address = { host, port: Number(port) }

const of = async (path: string) => import(join(WORKSPACE, 'apps/nodes/dist', path))
const { builtInCatalogue, findByImage } = await of('catalogue/catalogue.js')
const { PrismaPg } = createRequire(join(WORKSPACE, 'apps/nodes/package.json'))('@prisma/adapter-pg')
const { Database } = await of('database.module.js')
const { WorkloadsRepository } = await of('workloads/workloads.repository.js')
const { credentialsDigest } = await of('workloads/workload.js')
const { NodeSealerService } = await of('sealing/node-sealer.service.js')
const { ProbeClient } = await of('software/probe.client.js')
const { MachineChangesService } = await of('reconciler/machine-changes.service.js')
const { DueWorkloadsService } = await of('reconciler/due-workloads.service.js')
const { WorkloadReconcilerService } = await of('reconciler/workload-reconciler.service.js')
const { MachineReconcilerService } = await of('reconciler/machine-reconciler.service.js')
const { MachineStepsService } = await of('reconciler/machine-steps.service.js')
const { ReconcilerRepository } = await of('reconciler/reconciler.repository.js')
const { ReconcilerService } = await of('reconciler/reconciler.service.js')
const { ReconcilerSignal } = await of('reconciler/reconciler-signal.engine.js')

const running = new Set<string>()
const driver = {
  observe: async ({ id }: { id: string }) => (running.has(id) ? { running: true, matches: true, address } : undefined),
  apply: async ({ id }: { id: string }) => void running.add(id),
  onChange: () => {},
}
const broadcasts = { publish: () => true, subscribe: () => {} }
const logger = createLogger('idle-nodes', 'warn')
const clock = new Clock()
const pool = createPool({ url: databaseUrl, schema: 'nodes' })
const database = new Database({ adapter: new PrismaPg(pool, { schema: 'nodes' }) })
const sealer = new NodeSealerService({ KEY_ENCRYPTION_KEYS: [Buffer.alloc(32, 1)] })
const repository = new ReconcilerRepository(database, pool, broadcasts)
const machines = new MachineReconcilerService(new MachineStepsService(driver, sealer), new ProbeClient(), clock, logger)
const workloads = new WorkloadReconcilerService(new MachineChangesService(repository, sealer, clock), machines, clock, {
  RECONCILE_MS: 30_000,
})
const due = new DueWorkloadsService(repository, clock)
const reconciler = new ReconcilerService(due, workloads, new ReconcilerSignal(broadcasts, driver, repository, logger), logger)

await addNodes(Number(more))
// From here on, all CPU is the reconciler's.
console.log('reconciling')
const end = new AbortController()
process.on('SIGTERM', () => end.abort())
const lease = await due.acquireLease(end.signal)
await reconciler.run(lease, AbortSignal.any([end.signal, lease.signal]))
await lease.release()
await pool.end()
process.exit()

async function addNodes(count: number): Promise<void> {
  const repository = new WorkloadsRepository(database, pool, broadcasts)
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
  for (let i = 0; i < count; i++) await repository.add({ ...common, id: `node-${randomUUID()}`, userId: `user-${i}` }, () => {})
}

import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Lease } from '@trestle/database/lease'
import { createPool } from '@trestle/database/pool'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import { createLogger } from '@trestle/runtime/logger'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { NodesDatabase } from '../src/database.module.js'
import { MachineChangesService } from '../src/reconciler/machine-changes.service.js'
import { MachineReconcilerService } from '../src/reconciler/machine-reconciler.service.js'
import { MachineStepsService } from '../src/reconciler/machine-steps.service.js'
import { ReconcilerRepository } from '../src/reconciler/reconciler.repository.js'
import type { ReconciledWorkload } from '../src/reconciler/reconciliation.js'
import { WorkloadReconcilerService } from '../src/reconciler/workload-reconciler.service.js'
import { NodeSealerService } from '../src/sealing/node-sealer.service.js'
import type { ProbeClient } from '../src/software/probe.client.js'
import { credentialsDigest, type Workload, type WorkloadKind } from '../src/workloads/workload.js'
import { WorkloadsRepository } from '../src/workloads/workloads.repository.js'
import type { TestBackend } from './backends/test-backend.js'
import type { Fate } from './fake-driver.js'
import { NODES_MIGRATIONS } from './nodes-under-test.js'

// Every running program answers.
const PROBE = {
  probe: async () => ({ height: 7, lag: 0, progress: 1, peers: 0, synced: true }),
  connectPeers: async () => {},
} as unknown as ProbeClient

/** The reconciler on a database of its own and a backend; the test runs each pass and sets the clock. */
export class ReconcilerStage {
  /** What happens at each call of the driver. */
  fate: (point: string) => Fate = () => undefined
  lease!: Lease
  private now = new Date('2026-11-22T00:00:00.000Z')
  private readonly clock = { now: () => this.now }
  private readonly announced: string[] = []
  private readonly broadcasts = { publish: (_: unknown, { id }: { id: string }) => this.announced.push(id) } as unknown as Broadcasts
  readonly workloads: WorkloadsRepository
  readonly repository: ReconcilerRepository
  private looker!: WorkloadReconcilerService
  private isInterrupted = false

  private constructor(
    readonly world: TestBackend,
    private readonly database: TestDatabase,
    readonly pool: Pool,
  ) {
    const client = new NodesDatabase({ adapter: new PrismaPg(pool, { schema: 'nodes' }) })
    this.workloads = new WorkloadsRepository(client, pool, this.broadcasts, { BIN_HOURS: 1 })
    this.repository = new ReconcilerRepository(client, pool, this.broadcasts)
  }

  static async open(world: TestBackend): Promise<ReconcilerStage> {
    const database = await freshDatabase({ schema: 'nodes', migrations: NODES_MIGRATIONS })
    const stage = new ReconcilerStage(world, database, createPool({ url: database.url, schema: 'nodes' }))
    await stage.restart()
    return stage
  }

  async close(): Promise<void> {
    await this.lease.release()
    await this.pool.end()
    await this.database.drop()
    await this.world.close()
  }

  /** Another process takes over, with a new lease. */
  async restart(): Promise<void> {
    await this.lease?.release()
    this.lease = await this.repository.acquire(new AbortController().signal)
    this.isInterrupted = false
    const driver = this.world.driver((point) => this.meet(point))
    const sealer = new NodeSealerService({ KEY_ENCRYPTION_KEYS: [Buffer.alloc(32, 5)] })
    const machines = new MachineReconcilerService(
      new MachineStepsService(driver, sealer),
      PROBE,
      this.clock,
      createLogger('test', 'silent'),
    )
    const changes = new MachineChangesService(this.repository, sealer, this.clock)
    this.looker = new WorkloadReconcilerService(changes, machines, this.clock, { RECONCILE_MS: 30_000 })
  }

  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
    this.world.advance(ms)
  }

  date(): Date {
    return this.now
  }

  async create(kind: WorkloadKind, capacity: number): Promise<Workload> {
    const id = `${kind}-${randomUUID()}`
    const digest = new Uint8Array(credentialsDigest('u', 'p'))
    const auth = { type: 'basic', user: 'u', sealedPassword: Uint8Array.of(1), digest } as const
    const owner = { organizationId: 'org-1', userId: 'user-1' }
    const common = { id, kind, ...owner, blueprint: this.world.standard, capacity, auth, allowedIps: [], createdAt: this.now }
    await this.workloads.add({ ...common, expiresAt: new Date(this.now.getTime() + 3_600_000) }, () => {})
    const created = await this.workloads.find(common)
    if (!created) throw new Error('The workload was not added.')
    return created.workload
  }

  /** Reconciles what is due; false if the process was interrupted before it wrote the results. */
  async pass(): Promise<boolean> {
    const due = await this.repository.due(this.now, { limit: 1_000, except: [] })
    const results: ReconciledWorkload[] = []
    for (const each of due) {
      results.push(await this.looker.reconcile(this.lease, each))
      if (this.isInterrupted) return false
    }
    await this.repository.save(this.lease, results, this.now)
    return true
  }

  private meet(point: string): Fate {
    // An interrupted process does nothing more.
    if (this.isInterrupted) return 'breaks'
    const fate = this.fate(point)
    if (fate === 'breaks') this.isInterrupted = true
    return fate
  }
}

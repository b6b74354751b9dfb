import { randomUUID } from 'node:crypto'
import type { Lease } from '@trestle/database/lease'
import { createPool } from '@trestle/database/pool'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import { createLogger } from '@trestle/runtime/logger'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { Changes } from '../src/reconciler/changes.service.js'
import type { WorkloadLook } from '../src/reconciler/look.js'
import { MachineLooker } from '../src/reconciler/machine-looker.service.js'
import { MachineSteps } from '../src/reconciler/machine-steps.service.js'
import { ReconcilerRepository } from '../src/reconciler/reconciler.repository.js'
import { WorkloadLooker } from '../src/reconciler/workload-looker.service.js'
import { NodeSealerService } from '../src/sealing/node-sealer.service.js'
import type { ProbeClient } from '../src/software/probe.client.js'
import { credentialsDigest, type Workload, type WorkloadKind } from '../src/workloads/workload.js'
import { WorkloadsRepository } from '../src/workloads/workloads.repository.js'
import type { Fate } from './fake-driver.js'
import { MIGRATIONS } from './nodes-under-test.js'
import type { World } from './worlds/world.js'

// Whatever a driver says of a program that runs, it answers.
const PROBE = {
  look: async () => ({ height: 7, lag: 0, progress: 1, peers: 0, synced: true }),
  join: async () => {},
} as unknown as ProbeClient

/** The reconciler over a database of its own, and a world; a test takes each pass, and is the clock. */
export class ReconcilerStage {
  /** What happens to the driver at each of its points. */
  fate: (point: string) => Fate = () => undefined
  lease!: Lease
  private now = new Date('2026-11-22T00:00:00.000Z')
  private readonly clock = { now: () => this.now }
  private readonly said: string[] = []
  private readonly broadcasts = { publish: (_: unknown, { id }: { id: string }) => this.said.push(id) } as unknown as Broadcasts
  readonly workloads: WorkloadsRepository
  readonly repository: ReconcilerRepository
  private looker!: WorkloadLooker
  private isBroken = false

  private constructor(
    readonly world: World,
    private readonly database: TestDatabase,
    readonly pool: Pool,
  ) {
    this.workloads = new WorkloadsRepository(pool, this.broadcasts)
    this.repository = new ReconcilerRepository(pool, this.broadcasts)
  }

  static async open(world: World): Promise<ReconcilerStage> {
    const database = await freshDatabase({ schema: 'nodes', migrations: MIGRATIONS })
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

  /** Another process takes over; the lease of the one before is worth nothing any more. */
  async restart(): Promise<void> {
    await this.lease?.release()
    this.lease = await this.repository.acquire(new AbortController().signal)
    this.isBroken = false
    const driver = this.world.driver((point) => this.meet(point))
    const sealer = new NodeSealerService({ KEY_ENCRYPTION_KEYS: [Buffer.alloc(32, 5)] })
    const machines = new MachineLooker(new MachineSteps(driver, sealer), PROBE, this.clock, createLogger('test', 'silent'))
    const changes = new Changes(this.repository, sealer, this.clock)
    this.looker = new WorkloadLooker(changes, machines, this.clock, { RECONCILE_MS: 30_000 })
  }

  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
    this.world.advance(ms)
  }

  date(): Date {
    return this.now
  }

  async hold(kind: WorkloadKind, capacity: number): Promise<Workload> {
    const id = `${kind}-${randomUUID()}`
    const auth = { type: 'basic', user: 'u', sealedPassword: Buffer.of(1), digest: credentialsDigest('u', 'p') } as const
    const common = { id, kind, userId: 'user-1', blueprint: this.world.standard, capacity, auth, allowedIps: [], createdAt: this.now }
    const held = await this.workloads.add({ ...common, expiresAt: new Date(this.now.getTime() + 3_600_000) }, () => {})
    return held as Workload
  }

  /** Looks at whatever is due; false where the process was broken off in the middle of it, before it wrote anything down. */
  async pass(): Promise<boolean> {
    const due = await this.repository.due(this.now, { limit: 1_000, except: [] })
    const looks: WorkloadLook[] = []
    for (const each of due) {
      looks.push(await this.looker.look(this.lease, each))
      if (this.isBroken) return false
    }
    await this.repository.save(this.lease, looks, this.now)
    return true
  }

  private meet(point: string): Fate {
    // Who is broken does nothing more.
    if (this.isBroken) return 'breaks'
    const fate = this.fate(point)
    if (fate === 'breaks') this.isBroken = true
    return fate
  }
}

import { type Surroundings, withoutAuth } from './description.js'
import type { Views } from './views.service.js'
import type { WorkloadKind, WorkloadWithMachines } from './workload.js'
import type { Ownership } from './workloads.repository.js'
import type { Workloads } from './workloads.service.js'

export type Owned = Pick<Ownership, 'userId' | 'id'>

/** What callers do with nodes and with clusters alike. */
export abstract class WorkloadsOfKind<T extends { readonly auth: unknown }> {
  protected abstract readonly kind: WorkloadKind
  protected abstract readonly workloads: Workloads
  protected abstract readonly views: Views
  protected abstract describe(full: WorkloadWithMachines, surroundings: Surroundings): T

  async list(of: { userId: string; all: boolean }): Promise<T[]> {
    return this.views.ofAll(await this.workloads.list(this.kind, of), this.describe)
  }

  /** Everybody's. */
  async listAll({ all }: { all: boolean }): Promise<Omit<T, 'auth'>[]> {
    return this.views.ofAll(await this.workloads.list(this.kind, { all }), (...each) => withoutAuth(this.describe(...each)))
  }

  async get(owned: Owned): Promise<T> {
    return this.view(await this.workloads.find(this.own(owned)))
  }

  remove(owned: Pick<Owned, 'id'> & Partial<Owned>) {
    return this.workloads.remove({ ...owned, kind: this.kind })
  }

  async stop(owned: Owned): Promise<T> {
    return this.view(await this.workloads.stop(this.own(owned)))
  }

  async start(owned: Owned): Promise<T> {
    return this.view(await this.workloads.start(this.own(owned)))
  }

  async rotateCredentials(owned: Owned): Promise<T> {
    return this.view(await this.workloads.rotateCredentials(this.own(owned)))
  }

  protected view(full: WorkloadWithMachines): Promise<T> {
    return this.views.of(full, this.describe)
  }

  protected own(owned: Owned): Ownership {
    return { ...owned, kind: this.kind }
  }
}

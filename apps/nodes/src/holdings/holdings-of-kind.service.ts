import { type Surroundings, withoutAuth } from './description.js'
import type { HoldingInFull, Kind } from './holding.js'
import type { Ownership } from './holdings.repository.js'
import type { Holdings } from './holdings.service.js'
import type { Views } from './views.service.js'

export type Owned = Pick<Ownership, 'userId' | 'id'>

/** What callers do with nodes and with clusters alike. */
export abstract class HoldingsOfKind<T extends { readonly auth: unknown }> {
  protected abstract readonly kind: Kind
  protected abstract readonly holdings: Holdings
  protected abstract readonly views: Views
  protected abstract describe(full: HoldingInFull, surroundings: Surroundings): T

  async list(of: { userId: string; all: boolean }): Promise<T[]> {
    return this.views.ofAll(await this.holdings.list(this.kind, of), this.describe)
  }

  /** Everybody's. */
  async listAll({ all }: { all: boolean }): Promise<Omit<T, 'auth'>[]> {
    return this.views.ofAll(await this.holdings.list(this.kind, { all }), (...each) => withoutAuth(this.describe(...each)))
  }

  async get(owned: Owned): Promise<T> {
    return this.view(await this.holdings.find(this.own(owned)))
  }

  remove(owned: Pick<Owned, 'id'> & Partial<Owned>) {
    return this.holdings.remove({ ...owned, kind: this.kind })
  }

  async stop(owned: Owned): Promise<T> {
    return this.view(await this.holdings.stop(this.own(owned)))
  }

  async start(owned: Owned): Promise<T> {
    return this.view(await this.holdings.start(this.own(owned)))
  }

  async rotateCredentials(owned: Owned): Promise<T> {
    return this.view(await this.holdings.rotateCredentials(this.own(owned)))
  }

  protected view(full: HoldingInFull): Promise<T> {
    return this.views.of(full, this.describe)
  }

  protected own(owned: Owned): Ownership {
    return { ...owned, kind: this.kind }
  }
}

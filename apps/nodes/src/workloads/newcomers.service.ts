import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { ClusterAuthType, Image } from '@trestle/contracts/nodes/shapes'
import { CatalogueEntriesService } from '../catalogue/catalogue-entries.service.js'
import { NodeDriver } from '../drivers/driver.js'
import type { GrantedPlan } from '../plans/granted-plan.js'
import { NodeCredentials } from './credentials.service.js'
import { expiryOf } from './lifetime.js'
import type { WorkloadKind } from './workload.js'
import type { NewWorkload } from './workloads.repository.js'

/** What is asked for, in either of its two forms. */
export type Given = (
  | { readonly image: Image; readonly large: boolean; readonly jwt: boolean }
  | { readonly serviceId: string; readonly authType: ClusterAuthType }
) & { readonly ttl?: number; readonly allowedIps: readonly string[]; readonly capacity?: number; readonly alias?: string }

export interface Order {
  readonly userId: string
  readonly kind: WorkloadKind
  readonly given: Given
  /** The caller's Idempotency-Key. */
  readonly requestKey?: string
}

/** What a new workload begins with. */
@Injectable()
export class Newcomers {
  constructor(
    private readonly offers: CatalogueEntriesService,
    private readonly credentials: NodeCredentials,
    private readonly driver: NodeDriver,
  ) {}

  async make({ userId, kind, given }: Order, plan: GrantedPlan, now: Date): Promise<Omit<NewWorkload, 'request'>> {
    const blueprint = await this.offers.choose(given, kind)
    const id = `${kind}-${randomUUID()}`
    return {
      id,
      kind,
      userId,
      blueprint,
      capacity: given.capacity ?? 1,
      alias: given.alias,
      auth: { ...this.credentials.make(id), type: authTypeOf(given) },
      allowedIps: given.allowedIps,
      ports: this.driver.nodePorts,
      createdAt: now,
      expiresAt: expiryOf(given, plan, now),
    }
  }
}

function authTypeOf(given: Given): ClusterAuthType {
  if ('authType' in given) return given.authType
  return given.jwt ? 'jwt' : 'basic'
}

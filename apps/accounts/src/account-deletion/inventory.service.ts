import { Injectable } from '@nestjs/common'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { DeparturesService } from '../organizations/departures.service.js'
import { blockersOf, deletionBlocked, type Inventory } from './account-deletion.js'
import { ResourcesClient } from './resources.client.js'

/** What a user has in every area: what their personal organization owns, and organizations without other members. What a shared one owns stays with it. */
@Injectable()
export class InventoryService {
  constructor(
    private readonly resources: ResourcesClient,
    private readonly departures: DeparturesService,
  ) {}

  async of(userId: string): Promise<Inventory> {
    const organizations = await this.departures.preview(userId)
    const deleted = organizations.filter(({ effect }) => effect === 'deleted').map(({ id }) => id)
    return { ...(await this.resources.count([personalOrganizationOf(userId), ...deleted])), organizations }
  }

  /** Problem `DeletionBlocked` with all reasons; `ServiceUnreachable` where nobody can say whether there are any. */
  async requireDeletable(userId: string): Promise<Inventory> {
    const inventory = await this.of(userId)
    const blockers = blockersOf(inventory)
    if (blockers.length > 0) throw deletionBlocked(blockers)
    if (inventory.unreachable.length > 0) throw unreachable(inventory.unreachable)
    return inventory
  }
}

function unreachable(names: readonly string[]): Problem {
  return new Problem('unavailable', 'ServiceUnreachable', `Not every service answers at the moment: ${names.join(', ')}.`, {
    headers: retryAfter(5),
  })
}

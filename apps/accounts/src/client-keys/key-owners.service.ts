import { Injectable } from '@nestjs/common'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import type { Problem } from '@trestle/problem/problem'
import type { AccountsTransaction } from '../database.module.js'
import { permissionsOfRoles } from '../memberships/role.js'
import { requireCovers } from '../organizations/organization.js'
import { RostersService } from '../organizations/rosters.service.js'
import { unknownServiceAccount } from '../service-accounts/service-account.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { type ClientKeyRecord, notYourKey } from './client-key.js'
import type { KeyOwner } from './client-keys.repository.js'

/** Whose a key is, and who may have its secret: whoever has that may do what the key's user may do. */
@Injectable()
export class KeyOwnersService {
  constructor(
    private readonly rosters: RostersService,
    private readonly throttling: ThrottlingService,
  ) {}

  spendBudget(userId: string): Promise<void> {
    return this.throttling.spend({ clientKeysByUser: userId })
  }

  /** The owner of a new key: the caller, or a service account that may do no more than the caller. */
  async ownerOf(tx: AccountsTransaction, { userId, organizationId }: KeyOwner, serviceAccountId: string | undefined) {
    const shared = organizationId === personalOrganizationOf(userId) ? undefined : organizationId
    if (serviceAccountId === undefined) return { userId, organizationId: shared }
    await this.requireCovers(tx, { userId, organizationId }, serviceAccountId, unknownServiceAccount)
    return { userId: serviceAccountId, organizationId: shared, createdBy: userId }
  }

  /** Problem `NotYourKey` where the key is of another member, `MissingRole` where its service account may do more than the caller. */
  async requireMayHave(tx: AccountsTransaction, owner: KeyOwner, key: ClientKeyRecord): Promise<void> {
    if (key.userId !== owner.userId) await this.requireCovers(tx, owner, key.userId, notYourKey)
  }

  private async requireCovers(
    tx: AccountsTransaction,
    { userId, organizationId }: KeyOwner,
    serviceAccountId: string,
    unknown: () => Problem,
  ): Promise<void> {
    const { roster, actor } = await this.rosters.readAdmitted({ userId, organizationId }, tx)
    const account = roster.members.find((member) => member.userId === serviceAccountId && member.serviceAccount)
    if (!account) throw unknown()
    requireCovers(actor, [...permissionsOfRoles(account.roles, roster.definitions)], roster.definitions)
  }
}

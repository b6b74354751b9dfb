import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import type { Caller } from '@trestle/contracts/caller'
import { NoticesService } from '../notices/notices.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { describeNewKey, type KeyOptions, newKey } from './client-key.js'
import { ClientKeysRepository } from './client-keys.repository.js'
import { clientSecret, hashSecret } from './client-secret.js'
import { KeyOwnersService } from './key-owners.service.js'

interface Request extends KeyOptions {
  readonly serviceAccountId?: string
}

/** Creates client keys within the budget of who asks, who gets a mail about each. */
@Injectable()
export class ClientKeyCreationService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly keys: ClientKeysRepository,
    private readonly owners: KeyOwnersService,
    private readonly notices: NoticesService,
  ) {}

  async create({ userId, organizationId }: Caller, { serviceAccountId, ...options }: Request = {}): Promise<NewClientKey> {
    await this.owners.spendBudget(userId)
    const secret = clientSecret(randomBytes(32))
    const key = await this.unitOfWork.runAudited(async (tx, now) => {
      const owner = await this.owners.ownerOf(tx, { userId, organizationId }, serviceAccountId)
      const keys = await this.keys.count(tx, { userId, organizationId })
      const created = newKey({ id: `client-${randomUUID()}`, ...owner, keys }, options, now)
      await this.keys.insert(tx, created, new Uint8Array(hashSecret(secret)))
      await this.notices.send(tx, userId, { kind: 'new-client-key', clientId: created.id, areas: created.scopes, at: now })
      return created
    })
    return describeNewKey(key, secret)
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { NoticesService } from '../notices/notices.service.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { describeNewKey, type KeyOptions, newKey } from './client-key.js'
import { ClientKeysRepository } from './client-keys.repository.js'
import { clientSecret, hashSecret } from './client-secret.js'

/** Creates client keys within the budget of their owner, who gets a mail about each. */
@Injectable()
export class ClientKeyCreationService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly keys: ClientKeysRepository,
    private readonly throttling: ThrottlingService,
    private readonly notices: NoticesService,
  ) {}

  async create(userId: string, options: KeyOptions = {}): Promise<NewClientKey> {
    await this.throttling.spend({ clientKeysByUser: userId })
    const secret = clientSecret(randomBytes(32))
    const key = await this.unitOfWork.run(async (tx, now) => {
      const owner = { id: `client-${randomUUID()}`, userId, keys: await this.keys.count(tx, userId) }
      const created = newKey(owner, options, now)
      await this.keys.insert(tx, created, new Uint8Array(hashSecret(secret)))
      await this.notices.send(tx, userId, { kind: 'new-client-key', clientId: created.id, areas: created.scopes, at: now })
      return created
    })
    return describeNewKey(key, secret)
  }
}

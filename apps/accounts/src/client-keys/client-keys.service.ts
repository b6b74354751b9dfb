import { Injectable } from '@nestjs/common'
import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import { RevocationsService } from '../revocations/revocations.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { describeKey, unknownClientKey } from './client-key.js'
import { ClientKeysRepository } from './client-keys.repository.js'

@Injectable()
export class ClientKeysService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly keys: ClientKeysRepository,
    private readonly revocations: RevocationsService,
  ) {}

  async list(userId: string): Promise<ClientKey[]> {
    return (await this.keys.list(userId)).map(describeKey)
  }

  /** Refresh tokens end with the key itself, access tokens by the revocation. */
  async remove(userId: string, id: string): Promise<void> {
    await this.unitOfWork.run(async (tx, now) => {
      const epoch = await this.keys.delete(tx, { userId, id }, now)
      if (epoch === undefined) throw unknownClientKey()
      await this.revocations.record(tx, { kind: 'client', id, epoch })
    })
  }
}

import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { ClientKey, NewClientKey } from '@trestle/contracts/accounts/client-keys'
import type { AccountsTransaction } from '../database.module.js'
import { RevocationsService } from '../revocations/revocations.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import {
  type ClientKeyRecord,
  changedKey,
  describeKey,
  describeNewKey,
  endsTokens,
  type KeyChange,
  unknownClientKey,
} from './client-key.js'
import { ClientKeysRepository, type KeyOwner } from './client-keys.repository.js'
import { clientSecret, hashSecret } from './client-secret.js'
import { KeyOwnersService } from './key-owners.service.js'

@Injectable()
export class ClientKeysService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly keys: ClientKeysRepository,
    private readonly owners: KeyOwnersService,
    private readonly revocations: RevocationsService,
  ) {}

  async list(owner: KeyOwner): Promise<ClientKey[]> {
    return (await this.keys.list(owner)).map(describeKey)
  }

  /** Access tokens carry what a key may do: those from before end. */
  change(owner: KeyOwner, id: string, change: KeyChange): Promise<ClientKey> {
    return this.unitOfWork.runAudited(async (tx, now) => {
      const changed = changedKey(await this.open(tx, owner, id), change, now)
      const ends = endsTokens(change)
      const epoch = await this.keys.update(tx, changed, ends)
      if (ends) await this.revocations.record(tx, { kind: 'client', id, epoch })
      return describeKey(changed)
    })
  }

  async rotate(owner: KeyOwner, id: string, graceSeconds: number): Promise<NewClientKey> {
    await this.owners.spendBudget(owner.userId)
    const secret = clientSecret(randomBytes(32))
    return this.unitOfWork.runAudited(async (tx, now) => {
      const key = await this.open(tx, owner, id)
      await this.keys.replaceSecret(tx, id, new Uint8Array(hashSecret(secret)), new Date(now.getTime() + graceSeconds * 1000))
      return describeNewKey(key, secret)
    })
  }

  /** Refresh tokens end with the key itself, access tokens by the revocation. */
  async remove(owner: KeyOwner, id: string): Promise<void> {
    await this.unitOfWork.runAudited(async (tx, now) => {
      const epoch = await this.keys.delete(tx, owner, id, now)
      if (epoch === undefined) throw unknownClientKey()
      await this.revocations.record(tx, { kind: 'client', id, epoch })
    })
  }

  /** A key, locked, for who may have its secret. */
  private async open(tx: AccountsTransaction, owner: KeyOwner, id: string): Promise<ClientKeyRecord> {
    const key = await this.keys.findAndLock(tx, owner, id)
    if (!key) throw unknownClientKey()
    await this.owners.requireMayHave(tx, owner, key)
    return key
  }
}

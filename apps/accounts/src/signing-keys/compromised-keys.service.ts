import { Injectable } from '@nestjs/common'
import { signingKeyCompromised } from '@trestle/contracts/accounts/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { SigningKeysService } from './signing-keys.service.js'

/** Withdraws a key that somebody else may have. */
@Injectable()
export class CompromisedKeysService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly outbox: Outbox,
  ) {}

  /** What the key signed is refused within moments, everywhere; a new key signs from now on. Sessions and refresh tokens stay. */
  async declare(kid: string): Promise<void> {
    await this.unitOfWork.run(async (tx, now) => {
      await this.keys.compromise(tx, kid, now)
      await this.outbox.add(tx, signingKeyCompromised, { kid })
    })
    await this.keys.reload()
  }
}

import { Injectable } from '@nestjs/common'
import { NoticesService } from '../notices/notices.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { noticeUntil } from './client-key.js'
import { ClientKeysRepository } from './client-keys.repository.js'

/** Mails about each key once, a week before it expires: to its user, or to who made it for a service account. */
@Injectable()
export class ExpiringKeysService {
  constructor(
    private readonly keys: ClientKeysRepository,
    private readonly notices: NoticesService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Returns how many keys there were. */
  announce(): Promise<number> {
    return this.unitOfWork.run(async (tx, now) => {
      const keys = await this.keys.takeExpiring(tx, now, noticeUntil(now))
      for (const { id, userId, createdBy, expiresAt = now } of keys)
        await this.notices.send(tx, createdBy ?? userId, { kind: 'expiring-client-key', clientId: id, expiresAt })
      return keys.length
    })
  }
}

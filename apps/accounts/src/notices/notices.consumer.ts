import { Controller } from '@nestjs/common'
import type { PayloadOf } from '@trestle/contracts/message'
import { validatorUpdateRequested } from '@trestle/contracts/staking/messages'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { NoticesService } from './notices.service.js'

@Controller()
export class NoticesConsumer {
  constructor(
    private readonly notices: NoticesService,
    private readonly throttling: ThrottlingService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  @ConsumesBatch(validatorUpdateRequested, { durable: 'notices' })
  async send(payloads: PayloadOf<typeof validatorUpdateRequested>[]): Promise<void> {
    const sent: typeof payloads = []
    for (const payload of payloads) if (await this.throttling.trySpend({ validatorMailsToUser: payload.userId })) sent.push(payload)
    await this.unitOfWork.run(async (tx) => {
      for (const payload of sent) await this.notices.send(tx, payload.userId, { kind: 'validator-update', ...payload })
    })
  }
}

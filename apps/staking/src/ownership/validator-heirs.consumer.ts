import { Controller } from '@nestjs/common'
import { organizationDissolved } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { ValidatorOwnersService } from './validator-owners.service.js'

@Controller()
export class ValidatorHeirsConsumer {
  constructor(private readonly owners: ValidatorOwnersService) {}

  @ConsumesBatch(organizationDissolved, { durable: 'dissolved-organizations' })
  inherit(payloads: PayloadOf<typeof organizationDissolved>[]): Promise<void> {
    return this.owners.inherit(payloads.map(({ dissolvedAt, ...each }) => ({ ...each, dissolvedAt: new Date(dissolvedAt) })))
  }
}

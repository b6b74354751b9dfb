import { Controller } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { organizationDissolved } from '@trestle/contracts/accounts/messages'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { ValidatorOwnersService } from './validator-owners.service.js'

@Controller()
export class ValidatorHeirsConsumer {
  constructor(private readonly owners: ValidatorOwnersService) {}

  @ConsumesBatch(organizationDissolved, { durable: 'dissolved-organizations' })
  inherit(dissolutions: Dissolution[]): Promise<void> {
    return this.owners.inherit(dissolutions)
  }
}

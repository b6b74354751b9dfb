import { Controller } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { organizationDissolved, userDisabled } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { WorkloadOwnersService } from './workload-owners.service.js'

@Controller()
export class WorkloadsConsumer {
  constructor(private readonly owners: WorkloadOwnersService) {}

  @ConsumesBatch(userDisabled, { durable: 'disabled-users' })
  stop(payloads: PayloadOf<typeof userDisabled>[]): Promise<void> {
    return this.owners.stopWorkloads(payloads)
  }

  @ConsumesBatch(organizationDissolved, { durable: 'dissolved-organizations' })
  inherit(dissolutions: Dissolution[]): Promise<void> {
    return this.owners.inherit(dissolutions)
  }
}

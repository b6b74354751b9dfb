import { Controller } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { countResources, organizationDissolved, userDeleted, userDisabled, userEnabled } from '@trestle/contracts/accounts/messages'
import type { PayloadOf, ReplyOf, RequestOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { OwnersService } from './owners.service.js'

@Controller()
export class OwnersConsumer {
  constructor(private readonly owners: OwnersService) {}

  @ConsumesBatch(userDisabled, { durable: 'disabled-owners' })
  disable(payloads: PayloadOf<typeof userDisabled>[]): Promise<void> {
    return this.owners.learn(payloads.map(({ userId, disabledAt }) => ({ userId, disabled: true, changedAt: new Date(disabledAt) })))
  }

  @ConsumesBatch(organizationDissolved, { durable: 'dissolved-organizations' })
  inherit(dissolutions: Dissolution[]): Promise<void> {
    return this.owners.inherit(dissolutions)
  }

  @ConsumesBatch(userEnabled, { durable: 'enabled-owners' })
  enable(payloads: PayloadOf<typeof userEnabled>[]): Promise<void> {
    return this.owners.learn(payloads.map(({ userId, enabledAt }) => ({ userId, disabled: false, changedAt: new Date(enabledAt) })))
  }

  @ConsumesBatch(userDeleted, { durable: 'deleted-owners' })
  remove(payloads: PayloadOf<typeof userDeleted>[]): Promise<void> {
    return this.owners.removeProjects(payloads.map(({ userId }) => userId))
  }

  @RepliesTo(countResources)
  async count({ organizationIds }: RequestOf<typeof countResources>): Promise<ReplyOf<typeof countResources>> {
    const count = await this.owners.countProjects(organizationIds)
    return { resources: count === 0 ? [] : [{ kind: 'project', state: 'active', count, effect: 'deleted' }] }
  }
}

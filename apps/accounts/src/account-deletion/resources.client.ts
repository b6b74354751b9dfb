import { Inject, Injectable } from '@nestjs/common'
import { countResources } from '@trestle/contracts/accounts/messages'
import { deploymentsOf } from '@trestle/contracts/areas'
import { requestTo } from '@trestle/contracts/message'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { NatsClient } from '@trestle/messaging/nats.client'
import { firstValueFrom } from 'rxjs'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { Inventory } from './account-deletion.js'

/** Asks every deployment in which organizations own something what some of them own. */
@Injectable()
export class ResourcesClient {
  private readonly deployments: readonly string[]

  constructor(
    private readonly nats: NatsClient,
    @Inject(ENV) { chains, ABSENT_DEPLOYMENTS }: AccountsEnv,
  ) {
    const replying: readonly string[] = countResources.repliedBy
    this.deployments = identitiesOf(deploymentsOf(chains)).flatMap(({ name, app }) =>
      replying.includes(app) && !ABSENT_DEPLOYMENTS.includes(name) ? [name] : [],
    )
  }

  /** What does not answer is named, and not taken for empty. */
  async count(organizationIds: readonly string[]): Promise<Pick<Inventory, 'resources' | 'unreachable'>> {
    const replies = await Promise.allSettled(this.deployments.map((deployment) => this.ask(deployment, organizationIds)))
    const resources = replies.flatMap((reply) => (reply.status === 'fulfilled' ? reply.value : []))
    const unreachable = this.deployments.filter((_, at) => replies[at]?.status === 'rejected')
    return { resources, unreachable }
  }

  private async ask(deployment: string, organizationIds: readonly string[]): Promise<Inventory['resources']> {
    const { resources } = await firstValueFrom(
      this.nats.send(requestTo(countResources, deployment), { organizationIds: [...organizationIds] }),
    )
    return resources.map((resource) => ({ deployment, ...resource }))
  }
}

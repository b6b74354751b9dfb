import { Controller, type DynamicModule } from '@nestjs/common'
import {
  countResources,
  describeOrganizations,
  describeUsers,
  listKeys,
  listMemberships,
  listRevocations,
  type Membership,
  membershipChanged,
  type Revocation,
  revocationRecorded,
} from '@trestle/contracts/accounts/messages'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { type PayloadOf, type ReplyOf, type RequestOf, requestTo } from '@trestle/contracts/message'
import { type SecurityEvent, securityEventsRecorded } from '@trestle/contracts/security-event'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { NatsClient } from '@trestle/messaging/nats.client'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { bootService } from '@trestle/runtime/boot-service'
import { parseEnv, serviceEnv, trustRootKey } from '@trestle/runtime/env'
import type { TestNats } from '@trestle/testing/nats'
import { firstValueFrom } from 'rxjs'
import { z } from 'zod'
import { TestIssuer } from './issuer.js'
import { publishAt } from './publish.js'
import { STREAMS } from './streams.js'

/** All that a data area sees of the accounts service: it signs tokens, creates streams, replies to requests, records activity and the security log. */
export async function startAccountsStandIn(nats: TestNats) {
  const env = testEnv(nats)
  const issuer = new TestIssuer()
  const revocations: Revocation[] = []
  const activities: Activity[] = []
  const securityEvents: SecurityEvent[] = []
  const granted: Membership[] = []
  const users: ReplyOf<typeof describeUsers>['users'] = []
  const organizations: ReplyOf<typeof describeOrganizations>['organizations'] = []

  @Controller()
  class StandIn {
    @RepliesTo(listKeys)
    keys() {
      return issuer.jwks()
    }

    @RepliesTo(listRevocations)
    revoked() {
      return { asOf: new Date().toISOString(), revocations: [...revocations] }
    }

    @RepliesTo(listMemberships)
    granted(): ReplyOf<typeof listMemberships> {
      return { asOf: new Date().toISOString(), memberships: [...granted] }
    }

    @RepliesTo(describeUsers)
    users({ userIds }: RequestOf<typeof describeUsers>): ReplyOf<typeof describeUsers> {
      return { users: users.filter(({ userId }) => userIds.includes(userId)) }
    }

    @RepliesTo(describeOrganizations)
    organizations({ organizationIds }: RequestOf<typeof describeOrganizations>): ReplyOf<typeof describeOrganizations> {
      return { organizations: organizations.filter(({ organizationId }) => organizationIds.includes(organizationId)) }
    }

    @ConsumesBatch(activityRecorded, { durable: 'events' })
    record(payloads: PayloadOf<typeof activityRecorded>[]) {
      activities.push(...payloads.flatMap((payload) => payload.activities))
    }

    @ConsumesBatch(securityEventsRecorded, { durable: 'security-log' })
    log(payloads: PayloadOf<typeof securityEventsRecorded>[]) {
      securityEvents.push(...payloads.flatMap(({ events }) => events))
    }
  }

  class StandInModule {}
  const module: DynamicModule = {
    module: StandInModule,
    imports: [
      MessagingModule.forRoot({
        service: 'accounts',
        ...natsOptions(env),
        streams: STREAMS,
        rootKey: env.TRUST_ROOT_KEY,
      }),
    ],
    controllers: [StandIn],
  }
  const service = await bootService(module, {
    name: 'accounts',
    version: '0',
    env,
    endpoints: {},
    prepare: connectMessaging,
  })
  const publish = publishAt(service)
  return {
    issuer,
    publish,
    /** What a deployment replies that an organization owns. */
    async countResources(deployment: string, organizationId: string): Promise<ReplyOf<typeof countResources>['resources']> {
      const request = { organizationIds: [organizationId] }
      return (await firstValueFrom(service.app.get(NatsClient).send(requestTo(countResources, deployment), request))).resources
    },
    activities,
    securityEvents,
    users,
    organizations,
    /** Recorded, and published at once: what a user may do in an organization. */
    grant(membership: Pick<Membership, 'userId' | 'organizationId' | 'permissions'>): Promise<void> {
      const now = new Date()
      const changed = { ...membership, version: now.getTime() + granted.length, changedAt: now.toISOString() }
      granted.push(changed)
      return publish(membershipChanged, changed)
    },
    /** Recorded, and published at once. */
    revoke(revocation: Revocation): void {
      revocations.push(revocation)
      // Whoever misses it polls.
      void publish(revocationRecorded, revocation).catch(() => {})
    },
    stop: () => service.stop(),
  }
}

export type AccountsStandIn = Awaited<ReturnType<typeof startAccountsStandIn>>

function testEnv(nats: TestNats) {
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'fatal', HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0' }
  const addresses = { PUBLIC_URL: 'https://trestle.test', DATABASE_URL: 'postgres://none', ...nats.env('accounts') }
  return parseEnv(z.object({ ...serviceEnv, TRUST_ROOT_KEY: trustRootKey }), { ...settings, ...addresses })
}

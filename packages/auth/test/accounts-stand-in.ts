import { Controller, type DynamicModule } from '@nestjs/common'
import {
  getMembership,
  listKeys,
  listMembers,
  listMemberships,
  listRevocations,
  type Membership,
  membershipChanged,
  type Revocation,
  revocationRecorded,
} from '@trestle/contracts/accounts/messages'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import type { PayloadOf, ReplyOf, RequestOf } from '@trestle/contracts/message'
import { type SecurityEvent, securityEventsRecorded } from '@trestle/contracts/security-event'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { bootService } from '@trestle/runtime/boot-service'
import { parseEnv, serviceEnv, trustRootKey } from '@trestle/runtime/env'
import type { TestNats } from '@trestle/testing/nats'
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
  const endlessOrganizations = new Set<string>()
  const granted: Membership[] = []
  const memberships: (StandInMember & ReplyOf<typeof getMembership>)[] = []

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

    @RepliesTo(getMembership)
    membership({ userId }: RequestOf<typeof getMembership>): ReplyOf<typeof getMembership> {
      return memberships.find((each) => each.userId === userId) ?? { organization: null, roles: [] }
    }

    @RepliesTo(listMembers)
    members({ organizationId }: RequestOf<typeof listMembers>): ReplyOf<typeof listMembers> {
      const members = memberships.filter(({ organization }) => organization?.id === organizationId)
      const next = endlessOrganizations.has(organizationId) ? members[0]?.userId : undefined
      return { members: members.map(({ userId, email, displayName }) => ({ userId, email, displayName })), next }
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
    activities,
    securityEvents,
    memberships,
    /** The ids of those whose list of members has no end: reports about them have none. */
    endlessOrganizations,
    /** Recorded, and published at once: what a user may do in an organization. */
    grant({ userId, organizationId, permissions }: Pick<Membership, 'userId' | 'organizationId' | 'permissions'>): Promise<void> {
      const membership = { userId, organizationId, permissions, version: granted.length + 1, changedAt: new Date().toISOString() }
      granted.push(membership)
      return publish(membershipChanged, membership)
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

interface StandInMember {
  readonly userId: string
  readonly email: string
  readonly displayName: string
}

function testEnv(nats: TestNats) {
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'fatal', HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0' }
  const addresses = { PUBLIC_URL: 'https://trestle.test', DATABASE_URL: 'postgres://none', ...nats.env('accounts') }
  return parseEnv(z.object({ ...serviceEnv, TRUST_ROOT_KEY: trustRootKey }), { ...settings, ...addresses })
}

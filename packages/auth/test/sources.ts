import { type DynamicModule, type Type } from '@nestjs/common'
import type { listMemberships, listRevocations, Membership, Revocation } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { NatsClient } from '@trestle/messaging/nats.client'
import type { AuthOptions } from '../src/auth.module.js'
import { KeySource } from '../src/key-store.js'
import { MembershipSource } from '../src/memberships.js'
import { RevocationSource } from '../src/revocations.js'
import type { TestIssuer } from './issuer.js'

/** The accounts service of a test: in this process, and unreachable when the test says so. */
export class FakeAccounts {
  readonly revocations: Revocation[] = []
  readonly memberships: Membership[] = []
  keysAway = false
  revocationsAway = false
  membershipsAway = false
  keyFetches = 0

  constructor(readonly issuer: TestIssuer) {}

  /** Options that make AuthModule read from here. */
  options(): Pick<AuthOptions, 'keySource' | 'revocationSource' | 'membershipSource'> {
    const accounts = this
    class TestKeySource extends KeySource {
      async fetch() {
        accounts.keyFetches++
        if (accounts.keysAway) throw new Error('away')
        return accounts.issuer.jwks()
      }
    }
    class TestRevocationSource extends RevocationSource {
      async list(): Promise<ReplyOf<typeof listRevocations>> {
        if (accounts.revocationsAway) throw new Error('away')
        return { asOf: new Date().toISOString(), revocations: [...accounts.revocations] }
      }
    }
    class TestMembershipSource extends MembershipSource {
      async list(): Promise<ReplyOf<typeof listMemberships>> {
        if (accounts.membershipsAway) throw new Error('away')
        return { asOf: new Date().toISOString(), memberships: [...accounts.memberships] }
      }
    }
    return {
      keySource: TestKeySource as Type<KeySource>,
      revocationSource: TestRevocationSource as Type<RevocationSource>,
      membershipSource: TestMembershipSource as Type<MembershipSource>,
    }
  }
}

/** No messaging: token verification works without it. */
export function noMessaging(): DynamicModule {
  class NoMessaging {}
  const providers = [
    { provide: EventSubscriptions, useValue: { subscribe: () => undefined, onConnected: () => undefined } },
    { provide: NatsClient, useValue: {} },
  ]
  return { module: NoMessaging, global: true, providers, exports: [EventSubscriptions, NatsClient] }
}

import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type listMemberships, type Membership, membershipChanged } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { Permission, personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { Logger } from '@trestle/runtime/logger'
import { type Observable, Subject } from 'rxjs'
import { membershipsUnknown } from './auth-problems.js'
import { NO_POLICY, Policies, type Policy } from './policy.js'
import { PolledList } from './polled-list.engine.js'

const OWNER: ReadonlySet<Permission> = new Set(ROLE_PERMISSIONS.owner)

/** Where memberships are read from, page by page. */
export abstract class MembershipSource {
  abstract list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>>
}

interface KnownMembership {
  readonly version: number
  readonly permissions: ReadonlySet<Permission>
  /** Undefined where only the release before has reported the membership. */
  readonly policy?: Policy
}

/** What users may do in organizations, in memory: received over NATS within moments, and polled in case an event was missed. */
@Injectable()
export class Memberships implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #memberships = new Map<string, KnownMembership>()
  /** Members with the same roles share one set. */
  readonly #sets = new Map<string, ReadonlySet<Permission>>()
  readonly #policies = new Policies()
  readonly #changes = new Subject<void>()
  readonly #list: PolledList

  constructor(
    private readonly source: MembershipSource,
    private readonly events: EventSubscriptions,
    logger: Logger,
  ) {
    this.#list = new PolledList('memberships', (request) => this.readPage(request), events, logger)
  }

  /** Emits when somebody's permissions have changed. */
  get changes(): Observable<void> {
    return this.#changes
  }

  onApplicationBootstrap(): void {
    this.events.subscribe(membershipChanged, (membership) => this.record(membership))
    this.#list.start()
  }

  onModuleDestroy(): void {
    this.#list.stop()
  }

  /** Undefined for who is no member. A user owns the personal organization, whatever accounts says and while it says nothing; of others it throws 503 until they were read. */
  permissionsOf(userId: string, organizationId: string): ReadonlySet<Permission> | undefined {
    if (organizationId === personalOrganizationOf(userId)) return OWNER
    const permissions = this.#memberships.get(keyOf(userId, organizationId))?.permissions
    if (!permissions && !this.#list.asOf) throw membershipsUnknown()
    return permissions?.size === 0 ? undefined : permissions
  }

  /** What an organization demands of a member: of a user alone, nothing. */
  policyOf(userId: string, organizationId: string): Policy {
    return this.#memberships.get(keyOf(userId, organizationId))?.policy ?? NO_POLICY
  }

  /** A version only ever rises, in whatever order memberships arrive. The release before reports no policies: what was known of one holds. */
  record({ userId, organizationId, permissions, version, policy }: Membership): void {
    const key = keyOf(userId, organizationId)
    const known = this.#memberships.get(key)
    const completes = known?.version === version && !known.policy && policy !== undefined
    if ((known?.version ?? -1) >= version && !completes) return
    this.#memberships.set(key, {
      version,
      permissions: this.sharedSet(permissions),
      policy: policy ? this.#policies.of(policy) : known?.policy,
    })
    this.#changes.next()
  }

  /** Reads what is new. */
  poll(): Promise<void> {
    return this.#list.poll()
  }

  private async readPage(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
    const page = await this.source.list(request)
    for (const membership of page.memberships) this.record(membership)
    return page
  }

  private sharedSet(permissions: readonly string[]): ReadonlySet<Permission> {
    // A newer release of accounts may know permissions that nothing here asks for.
    const known = Permission.options.filter((permission) => permissions.includes(permission))
    const key = known.join(' ')
    const set = this.#sets.get(key) ?? new Set(known)
    this.#sets.set(key, set)
    return set
  }
}

function keyOf(userId: string, organizationId: string): string {
  return `${userId} ${organizationId}`
}

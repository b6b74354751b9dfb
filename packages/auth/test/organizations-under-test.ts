import { randomUUID } from 'node:crypto'
import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import type { RunningService } from '@trestle/runtime/boot-service'
import { callJson, type JsonReply } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { Memberships } from '../src/memberships.js'
import type { AccountsStandIn } from './accounts-stand-in.js'

export interface MemberUnderTest {
  readonly id: string
  readonly token: string
  /** About the organization, if one is named, or else about the personal one. */
  call(method: string, path: string, organization?: string, body?: unknown): Promise<JsonReply>
}

/** Organizations and their members, as a service learns of them from accounts. */
export class OrganizationsUnderTest {
  constructor(
    private readonly accounts: AccountsStandIn,
    private readonly service: RunningService,
  ) {}

  /** Until the service has read the memberships, it cannot say who is no member. */
  async ready(): Promise<this> {
    await this.service.app.get(Memberships).poll()
    return this
  }

  organization(): string {
    return `org-${randomUUID()}`
  }

  async of(organization: string, role: keyof typeof ROLE_PERMISSIONS): Promise<MemberUnderTest> {
    const id = `user-${randomUUID()}`
    const token = this.accounts.issuer.account({ payload: { sub: id } })
    await this.grant({ id }, organization, ROLE_PERMISSIONS[role])
    const call: MemberUnderTest['call'] = (method, path, chosen, body) =>
      callJson(this.service.url + path, { method, token, body, headers: chosen ? { 'trestle-organization': chosen } : {} })
    return { id, token, call }
  }

  /** Returns once the service knows; without permissions the member has left. */
  async grant({ id }: Pick<MemberUnderTest, 'id'>, organization: string, permissions: readonly Permission[]): Promise<void> {
    await this.accounts.grant({ userId: id, organizationId: organization, permissions: [...permissions] })
    const memberships = this.service.app.get(Memberships)
    const isKnown = () => (memberships.permissionsOf(id, organization)?.size ?? 0) === permissions.length
    await eventually(() => isKnown() || undefined, 'the service knows the membership')
  }
}

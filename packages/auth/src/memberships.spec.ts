import type { listMemberships, Membership } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { ALL_PERMISSIONS, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { MembershipSource, Memberships } from './memberships.js'

const USER = 'user-00000000-0000-4000-8000-000000000001'
const PERSONAL = 'org-00000000-0000-4000-8000-000000000001'
const SHARED = 'org-00000000-0000-4000-8000-000000000002'

describe(Memberships, () => {
  it('ends with the highest version, in whatever order and however often changes arrive', () => {
    const change = fc.record({ version: fc.nat(20), permissions: fc.subarray([...ALL_PERMISSIONS]) })
    // What accounts publishes has one meaning for each version.
    const changes = fc.uniqueArray(change, { selector: ({ version }) => version, minLength: 1 })
    const arriving = changes.chain((all) =>
      fc.tuple(fc.constant(all), fc.array(fc.constantFrom(...all)), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(arriving, ([all, repeated, shuffled]) => {
        const { memberships } = withPages([[]])
        for (const each of [...repeated, ...shuffled]) memberships.record(membership(each))
        const { permissions } = all.reduce((a, b) => (a.version > b.version ? a : b))
        expect(known(memberships)).toEqual(permissions.length === 0 ? undefined : new Set(permissions))
      }),
    )
  })

  it('shares one set among members with the same permissions', () => {
    const { memberships } = withPages([[]])
    const other = USER.replace('1', '7')
    memberships.record(membership({ permissions: ['nodes:read', 'nodes:call'] }))
    memberships.record(membership({ userId: other, permissions: ['nodes:call', 'nodes:read'] }))
    expect(memberships.permissionsOf(USER, SHARED)).toBe(memberships.permissionsOf(other, SHARED))
  })

  it('ignores permissions that only a newer release knows', () => {
    const { memberships } = withPages([[]])
    memberships.record(membership({ permissions: ['nodes:read', 'moon:land'] }))
    expect(known(memberships)).toEqual(new Set(['nodes:read']))
  })

  it('knows what an organization demands of its members, and of what a newer release lists only what it knows', () => {
    const { memberships } = withPages([[]])
    expect(memberships.policyOf(USER, SHARED)).toEqual({ requireSecondFactor: false, approvals: new Set() })
    const policy = { requireSecondFactor: true, approvals: ['staking:exit', 'moon:land', 'nodes:read'] }
    memberships.record(membership({ policy }))
    memberships.record(membership({ userId: USER.replace('1', '7'), policy }))
    expect(memberships.policyOf(USER, SHARED)).toEqual({ requireSecondFactor: true, approvals: new Set(['staking:exit']) })
    expect(memberships.policyOf(USER, SHARED)).toBe(memberships.policyOf(USER.replace('1', '7'), SHARED))
    expect(memberships.policyOf(USER, PERSONAL)).toEqual({ requireSecondFactor: false, approvals: new Set() })
  })

  it('keeps the policy that it knows where the release before, which knows none, reports the membership', () => {
    const { memberships } = withPages([[]])
    const policy = { requireSecondFactor: true, approvals: [] }
    memberships.record(membership({ version: 1, policy }))
    memberships.record(membership({ version: 2, permissions: ['nodes:call'] }))
    expect([known(memberships), memberships.policyOf(USER, SHARED).requireSecondFactor]).toEqual([new Set(['nodes:call']), true])
    memberships.record(membership({ version: 3, policy: { requireSecondFactor: false, approvals: [] } }))
    expect(memberships.policyOf(USER, SHARED).requireSecondFactor).toBe(false)
  })

  it('takes the policy of a version that it had from the release before', () => {
    const { memberships } = withPages([[]])
    memberships.record(membership({ version: 4 }))
    memberships.record(membership({ version: 4, policy: { requireSecondFactor: true, approvals: [] } }))
    expect(memberships.policyOf(USER, SHARED).requireSecondFactor).toBe(true)
    memberships.record(membership({ version: 4, policy: { requireSecondFactor: false, approvals: [] } }))
    expect(memberships.policyOf(USER, SHARED).requireSecondFactor).toBe(true)
  })

  it('emits once for a change, and not for what is known', () => {
    const { memberships } = withPages([[]])
    let changes = 0
    memberships.changes.subscribe(() => changes++)
    for (const version of [1, 1, 3, 2]) memberships.record(membership({ version }))
    expect(changes).toBe(2)
  })

  it('lets everybody own their personal organization, whatever accounts says and while it says nothing', () => {
    const { memberships } = withPages([[]])
    expect(memberships.permissionsOf(USER, PERSONAL)).toEqual(new Set(ROLE_PERMISSIONS.owner))
    memberships.record(membership({ organizationId: PERSONAL, permissions: ['billing:read'] }))
    expect(memberships.permissionsOf(USER, PERSONAL)).toEqual(new Set(ROLE_PERMISSIONS.owner))
  })

  it('cannot say who is no member before it has read the list, of which it reads every page', async () => {
    const { memberships, requests } = withPages([[membership({})], [membership({ userId: USER.replace('1', '7') })]])
    expect(() => memberships.permissionsOf(USER, SHARED)).toThrow(expect.objectContaining({ code: 'MembershipsUnknown', status: 503 }))
    await memberships.poll()
    expect(requests).toEqual([{}, { after: '1' }])
    expect(known(memberships)).toEqual(new Set(['nodes:read']))
    expect(memberships.permissionsOf(USER.replace('1', '7'), SHARED)).toEqual(new Set(['nodes:read']))
    expect(memberships.permissionsOf(USER.replace('1', '8'), SHARED)).toBeUndefined()
    await memberships.poll()
    expect(requests[2]).toEqual({ since: '2026-11-21T11:59:00.000Z' })
  })

  it('keeps what it knows while accounts is away', async () => {
    const { memberships, source } = withPages([[membership({})]])
    await memberships.poll()
    source.isAway = true
    await memberships.poll()
    expect(known(memberships)).toEqual(new Set(['nodes:read']))
  })
})

function withPages(pages: Membership[][]) {
  const requests: RequestOf<typeof listMemberships>[] = []
  class Pages extends MembershipSource {
    isAway = false

    async list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
      if (this.isAway) throw new Error('away')
      requests.push(request)
      const at = Number(request.after ?? 0)
      const next = at + 1 < pages.length ? String(at + 1) : undefined
      return { asOf: '2026-11-21T12:00:00.000Z', memberships: pages[at] ?? [], next }
    }
  }
  const source = new Pages()
  const events = { subscribe: () => undefined, onConnected: () => undefined }
  const memberships = new Memberships(source, events as never, { warn: () => undefined } as never)
  return { memberships, requests, source }
}

function known(memberships: Memberships) {
  try {
    return memberships.permissionsOf(USER, SHARED)
  } catch (error) {
    expect(error).toMatchObject({ code: 'MembershipsUnknown' })
    return 'unknown'
  }
}

function membership(given: Partial<Membership>): Membership {
  return { userId: USER, organizationId: SHARED, permissions: ['nodes:read'], version: 1, changedAt: '2026-11-21T12:00:00.000Z', ...given }
}

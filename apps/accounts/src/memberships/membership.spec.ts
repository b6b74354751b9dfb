import { ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { describeMembership, encodeMembershipPosition, startOfMemberships } from './membership.js'

const USER = 'user-00000000-0000-4000-8000-000000000001'
const ORGANIZATION = 'org-00000000-0000-4000-8000-000000000002'
const changedAt = new Date('2026-11-21T12:00:00.000Z')

describe(startOfMemberships, () => {
  it('starts a minute before the known time, because commits are not in the order of their times', () => {
    expect(startOfMemberships({ since: changedAt.toISOString() })).toEqual({
      changedAt: new Date('2026-11-21T11:59:00.000Z'),
      userId: '',
      organizationId: '',
    })
  })

  it('starts with the first one for a caller that has none', () => {
    expect(startOfMemberships({})).toEqual({ changedAt: new Date(0), userId: '', organizationId: '' })
  })

  it('continues where a page ended', () => {
    const position = fc.record({
      changedAt: fc.integer({ min: 0, max: 9_999_999_999_999 }).map((ms) => new Date(ms)),
      userId: fc.uuid().map((uuid) => `user-${uuid}`),
      organizationId: fc.uuid().map((uuid) => `org-${uuid}`),
    })
    fc.assert(fc.property(position, (each) => expect(startOfMemberships({ after: encodeMembershipPosition(each) })).toEqual(each)))
  })

  it.each(['', 'x', '1.user', '1.user-1', '1.user-1.org 1', `${'9'.repeat(20)}.user-1.org-1`, '01.user-1.org-1'])('refuses %j', (after) => {
    expect(() => startOfMemberships({ after })).toThrow(expect.objectContaining({ code: 'InvalidCursor' }))
  })
})

describe(describeMembership, () => {
  const policy = { requireSecondFactor: true, approvals: ['staking:exit'] }
  const membership = { userId: USER, organizationId: ORGANIZATION, version: 7, changedAt, policy }

  it('lists what the roles permit together, each once', () => {
    const described = describeMembership({
      ...membership,
      roles: ['billing', 'member', 'caller'],
      ownPermissions: ['eth:call', 'of:tomorrow'],
    })
    expect(described).toEqual({
      ...membership,
      changedAt: changedAt.toISOString(),
      permissions: [...ROLE_PERMISSIONS.billing, 'eth:call'],
    })
  })

  it('lists nothing for a former member', () => {
    expect(describeMembership({ ...membership, roles: [], ownPermissions: [] }).permissions).toEqual([])
  })

  it('says nothing of what an organization that is gone demands', () => {
    expect(describeMembership({ ...membership, roles: [], ownPermissions: [], policy: null }).policy).toBeUndefined()
  })
})

import type { Approval } from '@trestle/contracts/accounts/approvals'
import type { Role } from '@trestle/contracts/accounts/organizations'
import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { rendered } from '../testing/rendered.js'
import { approvalTexts } from '../texts/approvals.js'
import { ApprovalsTab } from './approvals-tab.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const NOTHING: OrganizationPolicy = { requireSecondFactor: false, approvals: [] }
const exit: Approval = {
  id: 'approval-1',
  organizationId: 'org-1',
  method: 'POST',
  path: '/staking/ethereum/dev/validators/ab/validatorExit',
  body: { confirmation: 'ab' },
  summary: 'Exit a validator.',
  permission: 'staking:exit',
  state: 'pending',
  requestedBy: 'user-2',
  createdAt: SINCE,
  expiresAt: SINCE,
}

function tab(roles: Role[], approvals: Approval[], policy = NOTHING) {
  const permissions = roles.flatMap((role): readonly Permission[] => ROLE_PERMISSIONS[role])
  const of = (name: string) => ['accounts', 'organizations', 'org-1', name]
  const member = { userId: 'user-2', displayName: 'Ben', email: 'ben@example.org', roles: ['operator'], joinedAt: SINCE }
  return rendered(<ApprovalsTab own={{ id: 'org-1', name: 'Engines', roles, permissions, createdAt: SINCE }} />, {
    answers: [
      [of('approvals'), approvals],
      [of('policy'), policy],
      [of('members'), [member]],
      [['accounts', 'me'], { id: 'user-1', email: 'ada@example.org' }],
    ],
  })
}

describe(ApprovalsTab, () => {
  it('shows in words and exactly what somebody asks for, to approve or refuse', () => {
    const page = tab(['operator'], [exit])
    expect(page.text).toContain(`Exit a validator. POST ${exit.path} {"confirmation":"ab"}`)
    expect(page.text).toContain('Ben')
    expect([page.isEnabled('Approve'), page.isEnabled('Refuse')]).toEqual([true, true])
  })

  it('offers nobody to approve what they ask for themselves, only to withdraw it', () => {
    const page = tab(['owner'], [{ ...exit, requestedBy: 'user-1' }])
    expect([page.isEnabled('Approve'), page.isEnabled('Withdraw')]).toEqual([undefined, true])
  })

  it('offers nothing to who has not the permission, nor about what is decided', () => {
    for (const page of [tab(['viewer'], [exit]), tab(['owner'], [{ ...exit, state: 'approved' }])])
      expect([page.isEnabled('Approve'), page.isEnabled('Refuse')]).toEqual([undefined, undefined])
  })

  it('says what will be listed while nobody has asked', () => {
    expect(tab(['viewer'], []).text).toContain(approvalTexts.emptyText)
  })

  it('shows the policy to everybody, and lets owners change it', () => {
    const policy: OrganizationPolicy = { requireSecondFactor: true, approvals: ['members:write', 'staking:exit'] }
    expect(tab(['owner'], [], policy).input('Exit validators.')).toContain('checked')
    expect(tab(['owner'], [], policy).input('Exit validators.')).not.toContain('disabled')
    expect(tab(['admin'], [], policy).input('Exit validators.')).toContain('disabled')
    // Nothing has changed yet.
    expect(tab(['owner'], [], policy).isEnabled('Save')).toBe(false)
  })
})

import { ROLES, type Role, type RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { PERMISSIONS, type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { accountsTexts } from '../texts/accounts.js'
import Invitation from './invitation.js'
import { Invitations } from './invitations.js'
import { Members } from './members.js'
import OrganizationPage from './organization.js'
import { OrganizationNameForm } from './organization-name-form.js'
import { RoleBadges } from './role-badges.js'
import { RoleEditor } from './role-editor.js'
import { RoleFields } from './role-fields.js'
import { RoleTable } from './role-table.js'
import { RolesTab } from './roles-tab.js'
import { ServiceAccounts } from './service-accounts.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const ORGANIZATIONS = ['accounts', 'organizations']
const ME = [['accounts', 'me'], { id: 'user-1', email: 'ada@example.org' }] as const

const organization = (...roles: Role[]) => {
  const permissions = roles.flatMap((role): readonly Permission[] => ROLE_PERMISSIONS[role])
  return { id: 'org-1', name: 'Analytical Engines', roles, permissions, createdAt: SINCE }
}
const member = (userId: string, displayName: string, ...roles: Role[]) => ({
  userId,
  displayName,
  email: `${userId}@example.org`,
  roles,
  joinedAt: SINCE,
})

describe(OrganizationPage, () => {
  const page = (...roles: Role[]) => rendered(<OrganizationPage />, { answers: [[ORGANIZATIONS, [organization(...roles)]], ME] })

  it('offers to create one to whoever has none', () => {
    const none = rendered(<OrganizationPage />, { answers: [[ORGANIZATIONS, []]] })
    expect(none.all('h2')).toEqual(['Create an organization'])
    expect(none.input('Organization name')).toContain('maxLength="100"')
    expect(none.isEnabled('Create organization')).toBe(true)
  })

  it('offers nothing while it is not known whether there is one', () => {
    expect(rendered(<OrganizationPage />).isEnabled('Create organization')).toBeUndefined()
    const failures = [[ORGANIZATIONS, new Problem('unavailable', 'Away', 'The service is away.')]] as const
    const failed = rendered(<OrganizationPage />, { failures })
    expect(failed.text).toContain('The service is away.')
    expect(failed.isEnabled('Create organization')).toBeUndefined()
  })

  it.each([
    [['owner'], { Rename: true, Leave: true, 'Delete organization': true, 'Invite a member': true }],
    [['admin'], { Rename: true, Leave: true, 'Delete organization': undefined, 'Invite a member': true }],
    [['member'], { Rename: undefined, Leave: true, 'Delete organization': undefined, 'Invite a member': undefined }],
    [['auditor', 'billing'], { Rename: undefined, Leave: true, 'Delete organization': undefined, 'Invite a member': undefined }],
  ] as const)('as %j offers exactly what the role may do', (roles, expected) => {
    const shown = page(...roles)
    for (const [action, isEnabled] of Object.entries(expected)) expect([action, shown.isEnabled(action)]).toEqual([action, isEnabled])
  })

  it('explains why a member can change nothing', () => {
    expect(page('member').text).toContain(accountsTexts.organization.readOnly)
    expect(page('owner').text).not.toContain(accountsTexts.organization.readOnly)
  })

  it('is titled by its name, with the user’s roles', () => {
    expect(page('owner', 'billing').all('h1')).toEqual(['Analytical Engines'])
    expect(page('owner', 'billing').text).toContain('Your roles Owner Billing')
  })

  it('cannot be left before it is known who leaves', () => {
    expect(rendered(<OrganizationPage />, { answers: [[ORGANIZATIONS, [organization('owner')]]] }).isEnabled('Leave')).toBe(false)
  })
})

describe(OrganizationNameForm, () => {
  it('begins with the name as it is', () => {
    const page = rendered(<OrganizationNameForm name="Analytical Engines" action="Save" save={async () => undefined} />)
    expect(page.input('Organization name')).toContain('value="Analytical Engines"')
    expect(page.isEnabled('Save')).toBe(true)
  })
})

describe(Members, () => {
  const everyone = [member('user-1', 'Ada', 'owner'), member('user-2', 'Bob', 'admin'), member('user-3', 'Cid', 'member', 'auditor')]
  const members = (...roles: Role[]) =>
    rendered(<Members own={organization(...roles)} />, { answers: [[[...ORGANIZATIONS, 'org-1', 'members'], everyone], ME] })

  it('marks the user, and lists the roles of each', () => {
    expect(
      members('member')
        .rows.slice(1)
        .map((row) => row.slice(0, 2)),
    ).toEqual([
      ['Ada you user-1@example.org', 'Owner'],
      ['Bob user-2@example.org', 'Administrator'],
      ['Cid user-3@example.org', 'Member Auditor'],
    ])
  })

  it.each([
    ['member', [undefined, undefined, undefined]],
    ['admin', ['', 'Change roles Remove', 'Change roles Remove']],
    ['owner', ['Change roles', 'Change roles Remove', 'Change roles Remove']],
  ] as const)('for a user who is %s offers for each member what that role may do', (role, expected) => {
    expect(
      members(role)
        .rows.slice(1)
        .map((row) => row[3]),
    ).toEqual(expected)
  })
})

describe(Invitations, () => {
  const invitations = (...rows: object[]) =>
    rendered(<Invitations own={organization('owner')} />, { answers: [[[...ORGANIZATIONS, 'org-1', 'invitations'], rows]] })

  it('says that none is open', () => {
    expect(invitations().text).toContain('No open invitations.')
  })

  it('can withdraw each open one', () => {
    const page = invitations({ id: 'invitation-1', email: 'dee@example.org', roles: ['member'], createdAt: SINCE, expiresAt: SINCE })
    expect(page.rows[1]?.slice(0, 2)).toEqual(['dee@example.org', 'Member'])
    expect(page.isEnabled('Withdraw')).toBe(true)
  })
})

describe(RoleFields, () => {
  const fields = (value: readonly Role[], owns: boolean) =>
    rendered(<RoleFields own={organization(owns ? 'owner' : 'admin')} value={value} onChange={() => undefined} />)

  it('has every role, with what it may do', () => {
    const page = fields(['member'], true)
    for (const role of ROLES) expect(page.text).toContain(accountsTexts.roles[role].does)
    expect(page.input('Member')).toContain('checked=""')
    expect(page.input('Owner')).not.toContain('checked=""')
  })

  it('lets only an owner make owners', () => {
    expect(fields(['member'], false).input('Owner')).toContain('disabled=""')
    expect(fields(['member'], true).input('Owner')).not.toContain('disabled=""')
    expect(fields(['member'], false).input('Administrator')).not.toContain('disabled=""')
  })

  it('has the roles of the organization, too, and lets nobody give more than they may do', () => {
    const roles = [
      { name: 'watcher', permissions: ['nodes:read'], custom: true },
      { name: 'exiter', permissions: ['staking:exit'], custom: true },
    ]
    const answers = [[[...ORGANIZATIONS, 'org-1', 'roles'], roles]] as const
    const page = rendered(<RoleFields own={organization('developer')} value={['watcher']} onChange={() => undefined} />, { answers })
    expect(page.input('watcher')).toContain('checked=""')
    expect(page.input('watcher')).not.toContain('disabled=""')
    expect(page.input('exiter')).toContain('disabled=""')
  })

  it('makes no service account an owner', () => {
    const page = rendered(<RoleFields own={organization('owner')} value={['member']} onChange={() => undefined} isPerson={false} />)
    expect(page.input('Owner')).toBeUndefined()
    expect(page.input('Administrator')).toBeDefined()
  })

  it('needs at least one role', () => {
    expect(fields([], true).text).toContain('Choose at least one role.')
    expect(fields(['billing'], true).text).not.toContain('Choose at least one role.')
  })
})

describe(RolesTab, () => {
  const roles = [
    { name: 'viewer', permissions: [...ROLE_PERMISSIONS.viewer], custom: false },
    { name: 'watcher', permissions: ['organization:read', 'nodes:read'], custom: true },
  ]
  const tab = (...own: Role[]) =>
    rendered(<RolesTab own={organization(...own)} />, { answers: [[[...ORGANIZATIONS, 'org-1', 'roles'], roles]] })

  it('says in words what the organization’s own roles permit', () => {
    expect(tab('owner').text).toContain('watcher See the organization, its members and their roles. See nodes and clusters.')
  })

  it.each([
    ['owner', true, true],
    ['viewer', undefined, undefined],
  ] as const)('lets an %s define roles: %s', (role, create, edit) => {
    expect([tab(role).isEnabled('Create a role'), tab(role).isEnabled('Edit')]).toEqual([create, edit])
  })

  it('has a line for each permission, and says for each role whether it is allowed', () => {
    const { rows } = rendered(<RoleTable roles={roles as RoleDefinition[]} />)
    expect(rows[0]).toEqual(['Permission', 'Viewer', 'watcher'])
    expect(rows.find(([name]) => name?.startsWith('Call the Ethereum API.'))).toEqual([
      'Call the Ethereum API. eth:call',
      'not allowed',
      'not allowed',
    ])
    expect(rows.find(([name]) => name?.endsWith('eth:read'))?.slice(1)).toEqual(['allowed', 'not allowed'])
    expect(rows.find(([name]) => name?.endsWith('nodes:read'))?.slice(1)).toEqual(['allowed', 'allowed'])
  })
})

describe(RoleEditor, () => {
  it('has every permission in words, and none to give that the author does not have', () => {
    const page = rendered(<RoleEditor own={organization('developer')} onDone={() => undefined} />)
    for (const words of Object.values(PERMISSIONS)) expect(page.input(words)).toBeDefined()
    expect(page.input('Exit validators.')).toContain('disabled=""')
    expect(page.input('Call the Ethereum API.')).not.toContain('disabled=""')
    expect(page.isEnabled('Save')).toBe(false)
  })

  it('begins with the role as it is', () => {
    const role: RoleDefinition = { name: 'watcher', permissions: ['nodes:read'], custom: true }
    const page = rendered(<RoleEditor own={organization('owner')} role={role} onDone={() => undefined} />)
    expect(page.input('See nodes and clusters.')).toContain('checked=""')
    expect(page.input('Name')).toBeUndefined()
    expect(page.isEnabled('Save')).toBe(true)
  })
})

describe(ServiceAccounts, () => {
  const key = [...ORGANIZATIONS, 'org-1', 'service-accounts']
  const account = { id: 'user-7', name: 'deployment', roles: ['developer'], createdAt: SINCE }
  const page = (role: Role, ...rows: object[]) => rendered(<ServiceAccounts own={organization(role)} />, { answers: [[key, rows]] })

  it('says what they are for, and offers the first once', () => {
    expect(
      page('owner')
        .all('button')
        .filter((name) => name === 'Create a service account'),
    ).toHaveLength(1)
    expect(page('viewer').isEnabled('Create a service account')).toBeUndefined()
  })

  it('lists them, with what may be done with each', () => {
    const { rows, isEnabled } = page('owner', account)
    expect(rows[1]?.slice(0, 2)).toEqual(['deployment', 'Developer'])
    expect([isEnabled('Create a key for deployment'), isEnabled('Delete')]).toEqual([true, true])
    expect(page('viewer', account).isEnabled('Delete')).toBeUndefined()
  })
})

describe(RoleBadges, () => {
  it.each(ROLES)('explains %s to whoever points at it', (role) => {
    const { label, does } = accountsTexts.roles[role]
    const badge = rendered(<RoleBadges roles={[role]} />)
    expect(badge.text).toBe(label)
    expect(badge.has(`title="${does}"`)).toBe(true)
  })
})

describe(Invitation, () => {
  const invitation = (session: object | undefined) =>
    rendered(<Invitation />, {
      at: '/invitation/t0ken',
      route: '/invitation/:token',
      answers: session ? [[['session'], session], ME] : [],
    })

  it('lets a signed-in user accept, and says who that is', () => {
    const page = invitation({ signedIn: true })
    expect(page.text).toContain('You are signed in as ada@example.org.')
    expect(page.isEnabled('Accept the invitation')).toBe(true)
    expect(page.links['Not now']).toBe('/app')
  })

  it('comes back after signing in or up', () => {
    const { links, isEnabled } = invitation({ signedIn: false })
    expect(links['Sign in to accept']).toBe('/app/account/sign-in?to=%2Fapp%2Faccount%2Finvitation%2Ft0ken')
    expect(links['Create an account']).toBe('/app/account/sign-up?invitation=t0ken')
    expect(isEnabled('Accept the invitation')).toBeUndefined()
  })

  it('offers neither while the session is unknown', () => {
    const page = invitation(undefined)
    expect([page.isEnabled('Accept the invitation'), page.links['Sign in to accept']]).toEqual([undefined, undefined])
  })
})

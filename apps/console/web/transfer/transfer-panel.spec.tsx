import { rendered } from '../testing/rendered.js'
import { TransferPanel } from './transfer-panel.js'

const organization = (id: string, ...permissions: string[]) => ({ id, name: id, permissions, roles: [] })

describe(TransferPanel, () => {
  const panel = (...organizations: object[]) =>
    rendered(<TransferPanel what="this node" organizationId="org-1" permission="nodes:create" onTransfer={async () => undefined} />, {
      answers: [[['accounts', 'organizations'], organizations]],
    })

  it('asks for the other organization first', () => {
    const page = panel(organization('org-1', 'nodes:create'), organization('org-2', 'nodes:create'))
    expect(page.input('Organization')).toBeDefined()
    expect(page.isEnabled('Transfer')).toBe(false)
  })

  it.each([
    ['is in no other', [organization('org-1', 'nodes:create')]],
    ['may create nothing in the other', [organization('org-1', 'nodes:create'), organization('org-2', 'nodes:read')]],
  ])('says why it cannot be transferred by who %s', (_title, organizations) => {
    const page = panel(...organizations)
    expect(page.text).toContain('You may not create one in any other organization.')
    expect(page.isEnabled('Transfer')).toBeUndefined()
  })
})

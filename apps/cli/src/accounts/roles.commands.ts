import { accounts } from '@trestle/contracts/accounts/api'
import type { RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { Permission } from '@trestle/contracts/permissions'
import { command, YES } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import type { View } from '../output/view.js'
import { sharedOrganizationOf } from '../profiles/shared-organization.js'

const base = '/accounts'
const { organizations } = accounts
const NAME = { about: 'the role' } as const
const LACKS = 'has no roles of its own'

const list = command({
  name: 'roles list',
  about: 'The roles of the organization, its own ones among them, and what each permits.',
  calls: { base, endpoints: [organizations.roles] },
  examples: [['trestle roles list', 'of the chosen organization']],
  run: ({ api, session }) => api.accounts.organizations.roles({ params: { id: sharedOrganizationOf(session, LACKS) } }),
  view: (found) => ({
    head: ['NAME', 'OWN', 'PERMISSIONS'],
    rows: found.map(({ name, custom, permissions }) => [name, custom ? 'yes' : '', permissions.join(', ')]),
  }),
})

const set = command({
  name: 'roles set',
  about: 'Define a role of the organization, or change what it permits: at once for everybody who has it.',
  details: ['Every role may see the organization. Nobody gives a permission that they do not have.'],
  args: {
    name: NAME,
    permissions: { about: 'all that it permits', many: true, choices: Permission.options },
  },
  calls: { base, endpoints: [organizations.setRole] },
  examples: [['trestle roles set on-call nodes:read nodes:update staking:read', 'then: trestle orgs roles <org> <user> on-call']],
  run: ({ api, args, session }) => {
    const id = sharedOrganizationOf(session, LACKS)
    // None given is more likely a mistake, and would take everything from whoever has the role.
    if (args.permissions.length === 0) throw new Failure(EXIT.usage, 'Pass all that it permits; for nothing else: organization:read.')
    return api.accounts.organizations.setRole({ params: { id, name: args.name }, body: { permissions: [...new Set(args.permissions)] } })
  },
  view: roleView,
})

const rm = command({
  name: 'roles rm',
  about: 'Delete a role of the organization that nobody has and no open invitation gives.',
  args: { name: NAME },
  options: YES,
  calls: { base, endpoints: [organizations.removeRole] },
  examples: [['trestle roles rm on-call', 'after a confirmation']],
  async run({ api, args, options, session, terminal }) {
    const id = sharedOrganizationOf(session, LACKS)
    await terminal.confirm(`Delete the role ${args.name}?`, options.yes)
    await api.accounts.organizations.removeRole({ params: { id, name: args.name } })
    terminal.note(`The role ${args.name} is deleted.`)
    return undefined
  },
})

function roleView({ name, permissions }: RoleDefinition): View {
  return {
    fields: [
      ['role', name],
      ['permissions', permissions.join(', ')],
    ],
  }
}

export const rolesCommands = [list, set, rm]

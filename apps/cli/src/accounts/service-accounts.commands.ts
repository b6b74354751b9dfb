import { accounts } from '@trestle/contracts/accounts/api'
import { ROLES } from '@trestle/contracts/accounts/organizations'
import { command, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import { sharedOrganizationOf } from '../profiles/shared-organization.js'

const base = '/accounts'
const { serviceAccounts } = accounts
const LACKS = 'has no service accounts'

const list = command({
  name: 'service-accounts list',
  about: 'The service accounts of the organization: members that are no persons, and have keys.',
  calls: { base, endpoints: [serviceAccounts.list] },
  examples: [['trestle service-accounts list', 'each with its roles']],
  run: ({ api, session }) => api.accounts.serviceAccounts.list({ params: { id: sharedOrganizationOf(session, LACKS) } }),
  view: (found, now) => ({
    head: ['ID', 'NAME', 'ROLES', 'CREATED'],
    rows: found.map(({ id, name, roles, createdAt }) => [id, name, roles.join(', '), relative(createdAt, now)]),
    none: 'No service accounts. Create one: trestle service-accounts create <name> <role>',
  }),
})

const create = command({
  name: 'service-accounts create',
  about: 'Create a service account, with roles that permit no more than yours.',
  args: {
    name: { about: 'what it is for' },
    roles: { about: 'its roles, also those of the organization itself', many: true, choices: ROLES, isOpen: true },
  },
  calls: { base, endpoints: [serviceAccounts.create] },
  examples: [['trestle service-accounts create deployer operator', 'then: trestle keys create --service-account <id>']],
  run: ({ api, args, session }) =>
    api.accounts.serviceAccounts.create({
      params: { id: sharedOrganizationOf(session, LACKS) },
      body: { name: args.name, roles: args.roles },
    }),
  view: ({ id, name, roles }) => ({
    fields: [
      ['id', id],
      ['name', name],
      ['roles', roles.join(', ')],
      ['', `Create a key for it: trestle keys create --service-account ${id}`],
    ],
  }),
})

const rm = command({
  name: 'service-accounts rm',
  about: 'Delete a service account and its keys.',
  args: { id: { about: 'the service account' } },
  options: YES,
  calls: { base, endpoints: [serviceAccounts.remove] },
  examples: [['trestle service-accounts rm user-5c1d7c1e-3b5b-4f3e-8a77-2a4c1f0f2a11', 'after a confirmation']],
  async run({ api, args, options, session, terminal }) {
    const id = sharedOrganizationOf(session, LACKS)
    await terminal.confirm(`Delete ${args.id} and its keys? Programs that use them will stop working.`, options.yes)
    await api.accounts.serviceAccounts.remove({ params: { id, userId: args.id } })
    terminal.note(`${args.id} is deleted.`)
    return undefined
  },
})

export const serviceAccountsCommands = [list, create, rm]

import { accounts } from '@trestle/contracts/accounts/api'
import { ROLES } from '@trestle/contracts/accounts/organizations'
import { command, repeated, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import { PERSONAL } from '../profiles/profile.js'

const base = '/accounts'
const { organizations } = accounts
const ID = { about: 'the organization' } as const
const ROLE = { ...repeated<string>('role', 'a role, also one of the organization itself', ROLES), isOpen: true } as const
const EXAMPLE = 'org-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'

const list = command({
  name: 'orgs list',
  about: 'The organizations you are a member of; your personal one is last.',
  calls: { base, endpoints: [organizations.list] },
  examples: [['trestle orgs list', 'each with your roles in it']],
  run: ({ api }) => api.accounts.organizations.list(),
  view: (found, now) => ({
    head: ['ID', 'NAME', 'YOUR ROLES', 'CREATED'],
    rows: found.map(({ id, name, roles, createdAt }) => [id, name, roles.join(', '), relative(createdAt, now)]),
    none: 'You are not in an organization. Create one: trestle orgs create <name>',
  }),
})

const create = command({
  name: 'orgs create',
  about: 'Create an organization; you become its owner.',
  args: { name: { about: 'the name' } },
  calls: { base, endpoints: [organizations.create] },
  examples: [['trestle orgs create "Analytical Engines"', 'then: trestle orgs use <id>']],
  run: ({ api, args }) => api.accounts.organizations.create({ body: { name: args.name } }),
  view: ({ id, name, roles }) => ({
    fields: [
      ['id', id],
      ['name', name],
      ['your roles', roles.join(', ')],
    ],
  }),
})

const use = command({
  name: 'orgs use',
  about: 'Choose the organization that commands of this profile are about.',
  details: ['--org and TRESTLE_ORGANIZATION choose another one for a single command. A client key is always about its own.'],
  args: { id: { about: 'the organization, or personal for your own' } },
  calls: { base, endpoints: [organizations.get] },
  examples: [
    [`trestle orgs use ${EXAMPLE}`, 'nodes, projects and validators are its from now on'],
    ['trestle orgs use personal', 'your own again'],
  ],
  async run({ api, args, session, store, terminal }) {
    const chosen = args.id === PERSONAL ? undefined : await api.accounts.organizations.get({ params: { id: args.id } })
    store.setOrganization(session.profile, chosen?.id)
    terminal.note(`Commands are about ${chosen ? chosen.name : 'your personal organization'} from now on.`)
    return undefined
  },
})

const members = command({
  name: 'orgs members',
  about: 'The members of an organization.',
  args: { id: ID },
  calls: { base, endpoints: [organizations.members] },
  examples: [[`trestle orgs members ${EXAMPLE}`, 'each with their roles']],
  run: ({ api, args }) => api.accounts.organizations.members({ params: { id: args.id } }),
  view: (found, now) => ({
    head: ['USER', 'E-MAIL', 'NAME', 'ROLES', 'JOINED'],
    rows: found.map(({ userId, email, displayName, roles, joinedAt }) => [
      userId,
      email,
      displayName,
      roles.join(', '),
      relative(joinedAt, now),
    ]),
  }),
})

const roles = command({
  name: 'orgs roles',
  about: "Set a member's roles.",
  args: {
    id: ID,
    user: { about: 'the member, by user id' },
    roles: { about: 'all roles of the member, also those of the organization itself', many: true, choices: ROLES, isOpen: true },
  },
  calls: { base, endpoints: [organizations.changeRoles] },
  examples: [
    [`trestle orgs roles ${EXAMPLE} user-5c1d7c1e-3b5b-4f3e-8a77-2a4c1f0f2a11 member billing`, 'who may also read billing reports'],
  ],
  run: ({ api, args }) =>
    api.accounts.organizations.changeRoles({ params: { id: args.id, userId: args.user }, body: { roles: args.roles } }),
  view: ({ email, roles: now }) => ({
    fields: [
      ['e-mail', email],
      ['roles', now.join(', ')],
    ],
  }),
})

const remove = command({
  name: 'orgs remove',
  about: 'Remove a member from an organization, or leave it.',
  args: { id: ID, user: { about: 'the member, by user id' } },
  options: YES,
  calls: { base, endpoints: [organizations.removeMember] },
  examples: [[`trestle orgs remove ${EXAMPLE} user-5c1d7c1e-3b5b-4f3e-8a77-2a4c1f0f2a11`, 'after a confirmation']],
  async run({ api, args, options, terminal }) {
    await terminal.confirm(`Remove ${args.user} from ${args.id}?`, options.yes)
    await api.accounts.organizations.removeMember({ params: { id: args.id, userId: args.user } })
    terminal.note(`${args.user} is no longer in ${args.id}.`)
    return undefined
  },
})

const invite = command({
  name: 'orgs invite',
  about: 'Invite somebody by e-mail. The mail contains a token that is valid for 72 hours.',
  args: { id: ID, email: { about: 'the e-mail address to invite' } },
  options: { role: ROLE },
  calls: { base, endpoints: [organizations.invite] },
  examples: [[`trestle orgs invite ${EXAMPLE} grace@example.org --role auditor`, 'without --role, as a member']],
  run: ({ api, args, options }) => {
    const given = options.role.length > 0 ? options.role : ['member']
    return api.accounts.organizations.invite({ params: { id: args.id }, body: { email: args.email, roles: given } })
  },
  view: ({ id, email, roles: given, expiresAt }, now) => ({
    fields: [
      ['invitation', id],
      ['e-mail', email],
      ['roles', given.join(', ')],
      ['expires', relative(expiresAt, now)],
    ],
  }),
})

const invitations = command({
  name: 'orgs invitations',
  about: 'Pending invitations.',
  args: { id: ID },
  calls: { base, endpoints: [organizations.invitations] },
  examples: [[`trestle orgs invitations ${EXAMPLE}`, 'for owners and admins']],
  run: ({ api, args }) => api.accounts.organizations.invitations({ params: { id: args.id } }),
  view: (found, now) => ({
    head: ['ID', 'E-MAIL', 'ROLES', 'EXPIRES'],
    rows: found.map(({ id, email, roles: given, expiresAt }) => [id, email, given.join(', '), relative(expiresAt, now)]),
    none: 'No pending invitations.',
  }),
})

const accept = command({
  name: 'orgs accept',
  about: 'Accept an invitation, with the token from its mail.',
  details: ['The token is prompted for, or read from a pipe. Treat it as a password.'],
  calls: { base, endpoints: [organizations.accept] },
  examples: [['trestle orgs accept', 'asks for the token']],
  async run({ api, terminal }) {
    const token = terminal.isInteractive ? await terminal.askSecret('Token from the mail: ', '') : await terminal.readAll()
    return api.accounts.organizations.accept({ params: { token: token.trim() } })
  },
  view: ({ id, name, roles: given }) => ({
    fields: [
      ['id', id],
      ['name', name],
      ['your roles', given.join(', ')],
    ],
  }),
})

export const orgsCommands = [list, create, use, members, roles, remove, invite, invitations, accept]

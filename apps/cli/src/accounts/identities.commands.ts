import { accounts } from '@trestle/contracts/accounts/api'
import { command, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import { PASSWORD_OPTION, passwordFor } from './account.commands.js'

const base = '/accounts'
const { identities, secondFactors } = accounts

const list = command({
  name: 'account identities list',
  about: 'Your identities at identity providers, the oldest first.',
  calls: { base, endpoints: [identities.list] },
  examples: [['trestle account identities list', 'with who each provider says you are']],
  run: ({ api }) => api.accounts.identities.list(),
  view: (found, now) => ({
    head: ['ID', 'PROVIDER', 'NAME', 'E-MAIL', 'SUBJECT', 'LINKED', 'LAST USED'],
    rows: found.map(({ id, provider, title = provider, name, email, subject, linkedAt, lastUsedAt }) => [
      ...[id, title, name, email, subject],
      ...[relative(linkedAt, now), relative(lastUsedAt, now)],
    ]),
    none: 'You have no identity at an identity provider: you sign in with a password.',
  }),
})

const unlink = command({
  name: 'account identities unlink',
  about: 'Unlink an identity: it no longer opens your account.',
  details: [
    'The roles that its provider granted end, and so do all other sessions. The last way to sign in stays: set a password first, or sign in with another identity.',
    'A provider that decides about your e-mail address can link it again at its next sign-in.',
  ],
  args: { id: { about: 'the identity' } },
  options: { ...PASSWORD_OPTION, ...YES },
  calls: { base, endpoints: [secondFactors.list, identities.unlink] },
  examples: [['trestle account identities unlink identity-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', 'asks first, and for the password']],
  async run(run) {
    const { api, args, options, session, terminal } = run
    await terminal.confirm(`Unlink ${args.id}? It will no longer sign you in.`, options.yes)
    const { accessToken } = await api.accounts.identities.unlink({ params: { id: args.id }, body: { password: await passwordFor(run) } })
    if (accessToken) session.keepToken(accessToken)
    terminal.note(`${args.id} is unlinked.`)
    return undefined
  },
})

export const identitiesCommands = [list, unlink]

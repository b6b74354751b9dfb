import { accounts } from '@trestle/contracts/accounts/api'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { command, repeated, text, YES } from '../command/command.js'
import { millisOf, relative } from '../output/duration.js'

const base = '/accounts'

const list = command({
  name: 'keys list',
  about: 'Your client keys, newest first.',
  calls: { base, endpoints: [accounts.clientKeys.list] },
  examples: [['trestle keys list', 'with scopes and last use']],
  run: ({ api }) => api.accounts.clientKeys.list(),
  view: (keys, now) => ({
    head: ['ID', 'NAME', 'AREAS', 'CREATED', 'LAST USED', 'EXPIRES'],
    rows: keys.map(({ id, name, scopes, createdAt, lastUsedAt, expiresAt }) => [
      id,
      name,
      scopes.join(', '),
      relative(createdAt, now),
      relative(lastUsedAt, now) || 'never',
      relative(expiresAt, now) || 'never',
    ]),
    none: 'No client keys. Create one: trestle keys create --name <name>',
  }),
})

const create = command({
  name: 'keys create',
  about: 'Create a client key for a program. Its secret is shown only once.',
  options: {
    name: text('name', 'what it is for'),
    scope: repeated('area', 'an area it gives access to; by default all', CLIENT_AREAS),
    expires: text('time', 'when it expires, such as 90d'),
  },
  calls: { base, endpoints: [accounts.clientKeys.create] },
  examples: [
    ['trestle keys create --name indexer --scope btc-connect --expires 90d', 'for one area and three months'],
    ['trestle keys create -o json > key.json', 'into a file; make it private first: umask 077'],
  ],
  run: ({ api, options, now }) => {
    const expiresAt = options.expires && new Date(now().getTime() + millisOf(options.expires, '--expires')).toISOString()
    const scopes = options.scope.length > 0 ? options.scope : undefined
    return api.accounts.clientKeys.create({ body: { name: options.name, scopes, expiresAt: expiresAt || undefined } })
  },
  view: ({ clientId, clientSecret, scopes, expiresAt }, now) => ({
    fields: [
      ['client id', clientId],
      ['secret', clientSecret],
      ['areas', scopes.join(', ')],
      ['expires', relative(expiresAt, now)],
      ['', 'The secret is not shown again: store it safely.'],
    ],
  }),
})

const rm = command({
  name: 'keys rm',
  about: 'Delete a client key. Its tokens are refused within 2 seconds.',
  args: { id: { about: 'the key' } },
  options: YES,
  calls: { base, endpoints: [accounts.clientKeys.remove] },
  examples: [['trestle keys rm client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', 'after a confirmation']],
  async run({ api, args, options, terminal }) {
    await terminal.confirm(`Delete ${args.id}? Programs that use it will stop working.`, options.yes)
    await api.accounts.clientKeys.remove({ params: { id: args.id } })
    terminal.note(`${args.id} is deleted.`)
    return undefined
  },
})

export const keysCommands = [list, create, rm]

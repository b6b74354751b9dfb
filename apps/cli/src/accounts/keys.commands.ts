import { accounts } from '@trestle/contracts/accounts/api'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { Scope } from '@trestle/contracts/permissions'
import { type CommandRun, command, repeated, text, YES } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { EXIT, Failure } from '../failure/failure.js'
import { millisOf, relative } from '../output/duration.js'
import type { View } from '../output/view.js'

const base = '/accounts'

const EXAMPLE = 'client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'

const SETTINGS = {
  name: text('name', 'what it is for'),
  scope: repeated('scope', 'an area, or a permission in one, such as nodes:read; by default all areas', Scope.options),
  expires: text('time', 'when it expires, such as 90d'),
  'per-second': text('count', 'the most requests a second'),
  'per-day': text('count', 'the most requests a day'),
  allow: repeated('address', 'from where it may be used, an address or a range; by default from anywhere'),
} as const

/** What stands in a change of a key for a setting that it has no more. */
const CLEARED = {
  name: ['name', null],
  expires: ['expiresAt', null],
  'per-second': ['perSecond', null],
  'per-day': ['perDay', null],
  allow: ['allowedIps', []],
} as const
const CLEARABLE = ['name', 'expires', 'per-second', 'per-day', 'allow'] as const satisfies readonly (keyof typeof CLEARED)[]

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
    ...SETTINGS,
    'service-account': text('id', 'the service account that it is of; by default it is yours'),
  },
  calls: { base, endpoints: [accounts.clientKeys.create] },
  examples: [
    ['trestle keys create --name indexer --scope btc-connect --expires 90d', 'for one area and three months'],
    ['trestle keys create --scope nodes:read --allow 192.0.2.0/24 --per-second 5', 'for little, from one network'],
    ['trestle keys create -o json > key.json', 'into a file; make it private first: umask 077'],
  ],
  run: ({ api, options, now }) =>
    api.accounts.clientKeys.create({ body: { ...settingsOf(options, now()), serviceAccountId: options['service-account'] } }),
  view: newKeyView,
})

const edit = command({
  name: 'keys edit',
  about: 'Change a client key: what is not given stays. Its tokens end within 2 seconds, unless only the name changes.',
  args: { id: { about: 'the key' } },
  options: { ...SETTINGS, clear: repeated('setting', 'what it has no more', CLEARABLE) },
  calls: { base, endpoints: [accounts.clientKeys.change] },
  examples: [
    [`trestle keys edit ${EXAMPLE} --name indexer --scope btc:read --scope btc:send`, 'scopes in place of those before'],
    [`trestle keys edit ${EXAMPLE} --expires 90d --per-second 50 --clear allow`, 'longer, faster, and from anywhere'],
  ],
  run: ({ api, args, options, now }) => {
    const given = settingsOf(options, now())
    const cleared = Object.fromEntries(options.clear.map((setting) => [CLEARED[setting][0], CLEARED[setting][1]]))
    const twice = options.clear.find((setting) => given[CLEARED[setting][0]] !== undefined)
    if (twice) throw new Failure(EXIT.usage, `--${twice} and --clear ${twice} contradict each other.`)
    const body = { ...given, ...cleared }
    if (Object.values(body).every((each) => each === undefined))
      throw new Failure(EXIT.usage, `Pass what to change: --scope, --${CLEARABLE.join(', --')}, or --clear.`)
    return api.accounts.clientKeys.change({ params: { id: args.id }, body })
  },
  view: ({ id, name, scopes, perSecond, perDay, allowedIps, expiresAt }, now) => ({
    fields: [
      ['client id', id],
      ['name', name],
      ['areas', scopes.join(', ')],
      ['a second', perSecond?.toString()],
      ['a day', perDay?.toString()],
      ['allowed from', allowedIps?.join(', ')],
      ['expires', relative(expiresAt, now) || 'never'],
    ],
  }),
})

const rotate = command({
  name: 'keys rotate',
  about: 'Give a client key another secret, shown only once.',
  args: { id: { about: 'the key' } },
  options: { grace: text('time', 'how long the old secret stays valid, such as 1h or 7d; by default not at all') },
  calls: { base, endpoints: [accounts.clientKeys.rotate] },
  examples: [[`trestle keys rotate ${EXAMPLE} --grace 1d`, 'with a day to change the program']],
  run: ({ api, args, options }) => {
    const graceSeconds = options.grace === undefined ? 0 : Math.round(millisOf(options.grace, '--grace') / 1000)
    return api.accounts.clientKeys.rotate({ params: { id: args.id }, body: { graceSeconds } })
  },
  view: newKeyView,
})

const rm = command({
  name: 'keys rm',
  about: 'Delete a client key. Its tokens are refused within 2 seconds.',
  args: { id: { about: 'the key' } },
  options: YES,
  calls: { base, endpoints: [accounts.clientKeys.remove] },
  examples: [[`trestle keys rm ${EXAMPLE}`, 'after a confirmation']],
  async run({ api, args, options, terminal }) {
    await terminal.confirm(`Delete ${args.id}? Programs that use it will stop working.`, options.yes)
    await api.accounts.clientKeys.remove({ params: { id: args.id } })
    terminal.note(`${args.id} is deleted.`)
    return undefined
  },
})

/** Undefined for what was not given. */
function settingsOf(options: CommandRun<unknown, typeof SETTINGS>['options'], now: Date) {
  const { name, scope, expires, allow } = options
  return {
    name,
    scopes: scope.length > 0 ? scope : undefined,
    expiresAt: expires === undefined ? undefined : new Date(now.getTime() + millisOf(expires, '--expires')).toISOString(),
    perSecond: countOf(options['per-second'], '--per-second'),
    perDay: countOf(options['per-day'], '--per-day'),
    allowedIps: allow.length > 0 ? allow : undefined,
  }
}

function newKeyView({ clientId, clientSecret, scopes, expiresAt }: NewClientKey, now: Date): View {
  return {
    fields: [
      ['client id', clientId],
      ['secret', clientSecret],
      ['areas', scopes.join(', ')],
      ['expires', relative(expiresAt, now)],
      ['', 'The secret is not shown again: store it safely.'],
    ],
  }
}

function countOf(given: string | undefined, option: string): number | undefined {
  return given === undefined ? undefined : integerOf(given, option, 1)
}

export const keysCommands = [list, create, edit, rotate, rm]

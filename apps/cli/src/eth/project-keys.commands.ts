import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { type CommandRun, command, flag, text, YES } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { millisOf, relative } from '../output/duration.js'
import { selectProject } from './project.js'

const CHAIN = chainOption('evm')
const WHICH = { project: { about: 'its name or the beginning of its id' } } as const
const ONE = { ...WHICH, key: { about: 'its number or name' } } as const
const base = '/{chain}'

/** The calls of a chain, and the parameters that name the project. */
async function placeOf(run: CommandRun<unknown, typeof CHAIN>, named?: string) {
  const api = run.api.evm(await chosenChain(run, 'evm', run.options.chain))
  const { id } = selectProject(await api.projects.list(), named)
  return { keys: api.keys, params: { projectId: id } }
}

async function keyIn({ keys, params }: Awaited<ReturnType<typeof placeOf>>, named: string) {
  const found = (await keys.list({ params })).filter(({ number, name }) => String(number) === named || name === named)
  const [first, second] = found
  if (second) throw new Failure(EXIT.usage, `Several keys are called "${named}".`, 'Choose one by its number: trestle eth keys list')
  if (!first) throw new Failure(EXIT.unknown, `The project has no key "${named}".`, 'List them: trestle eth keys list')
  return first
}

const list = command({
  name: 'eth keys list',
  about: 'The keys of a project, newest first.',
  args: { project: { ...WHICH.project, about: 'its name or the beginning of its id; required if you have several', optional: true } },
  options: CHAIN,
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.keys.list] },
  examples: [['trestle eth keys list mine', 'with last use and expiry']],
  run: async (run) => {
    const { keys, params } = await placeOf(run, run.args.project)
    return keys.list({ params })
  },
  view: (keys, now) => ({
    head: ['KEY', 'NAME', 'ENDS IN', 'CREATED', 'LAST USED', 'FROM', 'EXPIRES'],
    rows: keys.map(({ number, name, lastFour, createdAt, lastUsedAt, lastUsedFrom, expiresAt }) => [
      number,
      name,
      lastFour,
      relative(createdAt, now),
      relative(lastUsedAt, now) || 'never',
      lastUsedFrom ?? '',
      relative(expiresAt, now) || 'never',
    ]),
    none: 'No keys: the project is called with its id. Create one: trestle eth keys create <project> <name>',
  }),
})

const create = command({
  name: 'eth keys create',
  about: 'Create a key of a project: a URL of its own for JSON-RPC calls. It is shown only once.',
  details: ['Rules, limits and usage are those of the project. A project has at most 20 keys.'],
  args: { ...WHICH, name: { about: 'what it is for' } },
  options: { ...CHAIN, expires: text('time', 'when it expires, such as 90d; by default never') },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.keys.create] },
  examples: [
    ['trestle eth keys create mine mobile', 'for one of the programs that call'],
    ['trestle eth keys create mine contractor --expires 30d', 'for a month'],
  ],
  run: async (run) => {
    const { keys, params } = await placeOf(run, run.args.project)
    return keys.create({ params, body: { name: run.args.name, expiresAt: expiryOf(run.options.expires, run.now()) } })
  },
  view: ({ number, name, url, expiresAt }, now) => ({
    fields: [
      ['key', String(number)],
      ['name', name],
      ['url', url],
      ['expires', relative(expiresAt, now) || 'never'],
      ['', 'The URL is not shown again: store it safely.'],
    ],
  }),
})

const edit = command({
  name: 'eth keys edit',
  about: 'Change the name or the expiry of a key.',
  args: ONE,
  options: {
    ...CHAIN,
    name: text('name', 'another name'),
    expires: text('time', 'when it expires, from now, such as 90d'),
    'no-expiry': flag('it never expires'),
  },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.keys.list, ethRpc.keys.change] },
  examples: [
    ['trestle eth keys edit mine 3 --expires 30d', 'a month from now'],
    ['trestle eth keys edit mine mobile --name ios --no-expiry', 'by its name'],
  ],
  run: async (run) => {
    const { name, expires, 'no-expiry': endless } = run.options
    if (endless && expires !== undefined) throw new Failure(EXIT.usage, '--expires and --no-expiry contradict each other.')
    if (name === undefined && expires === undefined && !endless)
      throw new Failure(EXIT.usage, 'Pass what to change: --name, --expires or --no-expiry.')
    const place = await placeOf(run, run.args.project)
    const { number } = await keyIn(place, run.args.key)
    const body = { name, expiresAt: endless ? null : expiryOf(expires, run.now()) }
    return place.keys.change({ params: { ...place.params, keyNumber: String(number) }, body })
  },
  view: ({ number, name, expiresAt }, now) => ({
    fields: [
      ['key', String(number)],
      ['name', name],
      ['expires', relative(expiresAt, now) || 'never'],
    ],
  }),
})

const rm = command({
  name: 'eth keys rm',
  about: 'Delete a key of a project. Calls with it are refused within 2 seconds.',
  args: ONE,
  options: { ...CHAIN, ...YES },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.keys.list, ethRpc.keys.remove] },
  examples: [['trestle eth keys rm mine mobile', 'after a confirmation']],
  async run(run) {
    const place = await placeOf(run, run.args.project)
    const { number, name } = await keyIn(place, run.args.key)
    await run.terminal.confirm(`Delete the key ${name}? Programs that use it will stop working.`, run.options.yes)
    await place.keys.remove({ params: { ...place.params, keyNumber: String(number) } })
    run.terminal.note(`The key ${name} is deleted.`)
    return undefined
  },
})

function expiryOf(expires: string | undefined, now: Date): string | undefined {
  return expires === undefined ? undefined : new Date(now.getTime() + millisOf(expires, '--expires')).toISOString()
}

export const projectKeysCommands = [list, create, edit, rm]

import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import type { MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import { METHOD_NAMESPACES } from '@trestle/contracts/eth-rpc/projects'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { type CommandRun, command, flag, repeated, text, YES } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { EXIT, Failure } from '../failure/failure.js'
import { relative } from '../output/duration.js'

const CHAIN = chainOption('evm')
const USER = { user: { about: 'the id of a user; administrators only' } } as const
const base = '/{chain}'

async function limitsApi(run: CommandRun<unknown, typeof CHAIN>) {
  return run.api.evm(await chosenChain(run, 'evm', run.options.chain)).limits
}

const show = command({
  name: 'eth limits show',
  about: 'The highest limits that you, or a user, may set for a project.',
  args: { user: { ...USER.user, optional: true } },
  options: CHAIN,
  calls: { base, endpoints: [ethRpc.limits.mine, ethRpc.limits.get] },
  examples: [
    ['trestle eth limits show', 'yours'],
    ['trestle eth limits show user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', "a user's"],
  ],
  run: async (run) => {
    const api = await limitsApi(run)
    return run.args.user === undefined ? api.mine() : api.get({ params: { userId: run.args.user } })
  },
  view: limitsView,
})

const grant = command({
  name: 'eth limits grant',
  about: "Let a user set higher, or only lower, limits than the platform's.",
  details: ['Projects of the user with higher limits are lowered within 2 seconds. What is not given stays as it is.'],
  args: USER,
  options: {
    ...CHAIN,
    'per-second': text('units', 'compute units a second'),
    'per-day': text('units', 'compute units a day (UTC)'),
    namespace: repeated('name', 'methods that the user may allow to projects, such as debug; in place of those before', METHOD_NAMESPACES),
    'no-namespaces': flag('none of them any more'),
  },
  calls: { base, endpoints: [ethRpc.limits.get, ethRpc.limits.grant] },
  examples: [
    ['trestle eth limits grant user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11 --per-second 200000', 'per day as before'],
    ['trestle eth limits grant user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11 --namespace debug --namespace trace', 'traces'],
  ],
  run: async (run) => {
    const { options, args } = run
    const [perSecond, perDay] = [unitsOf(options['per-second'], '--per-second'), unitsOf(options['per-day'], '--per-day')]
    const namespaces = options['no-namespaces'] ? [] : options.namespace?.length ? options.namespace : undefined
    if (perSecond === undefined && perDay === undefined && namespaces === undefined)
      throw new Failure(EXIT.usage, 'Pass --per-second, --per-day, --namespace or several of them.')
    const [api, params] = [await limitsApi(run), { userId: args.user }]
    const before = await api.get({ params })
    return api.grant({
      params,
      body: { perSecond: perSecond ?? before.perSecond, perDay: perDay ?? before.perDay, namespaces: namespaces && [...namespaces] },
    })
  },
  view: limitsView,
})

const revoke = command({
  name: 'eth limits revoke',
  about: "Let the platform's limits apply to a user again.",
  args: USER,
  options: { ...CHAIN, ...YES },
  calls: { base, endpoints: [ethRpc.limits.revoke] },
  examples: [['trestle eth limits revoke user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', 'after a confirmation']],
  run: async (run) => {
    const { user } = run.args
    await run.terminal.confirm(`Revoke what was granted to ${user}? Projects with higher limits are lowered.`, run.options.yes)
    return (await limitsApi(run)).revoke({ params: { userId: user } })
  },
  view: limitsView,
})

function unitsOf(given: string | undefined, option: string): number | undefined {
  return given === undefined ? undefined : integerOf(given, option, 1)
}

function limitsView({ perSecond, perDay, namespaces, grantedAt }: MaxLimits, now: Date) {
  const fields: [string, string | number][] = [
    ['units/s', perSecond],
    ['units/day', perDay],
    ...(namespaces ? [['namespaces', namespaces.join(', ')] satisfies [string, string]] : []),
    ['granted', grantedAt ? relative(grantedAt, now) : "no: the platform's"],
  ]
  return { fields }
}

export const limitsCommands = [show, grant, revoke]

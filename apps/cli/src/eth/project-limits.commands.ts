import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { command, repeated, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { EXIT, Failure } from '../failure/failure.js'
import { selectProject } from './project.js'

const CHAIN = chainOption('evm')
const NONE = 'none'

const limits = command({
  name: 'eth projects limits',
  about: 'The limits of a project; with options, changes them.',
  details: ['How high the first two may be: trestle eth limits show. What is not given stays as it is.'],
  args: { project: { about: 'its name or the beginning of its id' } },
  options: {
    ...CHAIN,
    'per-second': text('units', 'compute units a second'),
    'per-day': text('units', 'compute units a day (UTC)'),
    'per-address': text('calls', `calls a second for each address that calls; ${NONE}: no such limit`),
    'per-sender': text('transactions', `transactions a minute for each address that signs them; ${NONE}: no such limit`),
    'per-caller': text('calls', `calls a second for each subject of tokens of your provider; ${NONE}: no such limit`),
    method: repeated('limit', `calls a second of a method, or of all that begin so, in place of those before; ${NONE}: no such limit`),
  },
  calls: { base: '/{chain}', endpoints: [ethRpc.projects.list, ethRpc.projects.change] },
  examples: [
    ['trestle eth projects limits mine', 'as they are'],
    ['trestle eth projects limits mine --per-address 20 --method eth_getLogs=5 --method debug_*=1', 'for a public page'],
    [`trestle eth projects limits mine --per-address ${NONE}`, 'for as many calls from one address as the project may make'],
  ],
  run: async (run) => {
    const { options } = run
    const api = run.api.evm(await chosenChain(run, 'evm', options.chain))
    const project = selectProject(await api.projects.list(), run.args.project)
    const change = {
      perSecond: countOf(options['per-second'], '--per-second'),
      perDay: countOf(options['per-day'], '--per-day'),
      perAddress: countOrNone(options['per-address'], '--per-address'),
      perSender: countOrNone(options['per-sender'], '--per-sender'),
      perCaller: countOrNone(options['per-caller'], '--per-caller'),
      methods: options.method.length > 0 ? methodsIn(options.method) : undefined,
    }
    if (Object.values(change).every((each) => each === undefined)) return project
    return api.projects.change({ params: { projectId: project.id }, body: { limits: change } })
  },
  view: ({ name, limits: { perSecond, perDay, perAddress, perSender, perCaller, methods = [] } }) => ({
    fields: [
      ['name', name],
      ['units/s', perSecond],
      ['units/day', perDay],
      ['calls/s of an address', perAddress ?? NONE],
      ['transactions/min of a sender', perSender ?? NONE],
      ['calls/s of a subject', perCaller ?? NONE],
      ['calls/s of methods', methods.map((each) => `${each.method}=${each.perSecond}`).join(', ') || NONE],
    ],
  }),
})

function methodsIn(given: readonly string[]) {
  if (given.length === 1 && given[0] === NONE) return []
  return given.map((each) => {
    const [, method, calls] = /^([^=]+)=(\d+)$/.exec(each) ?? []
    if (!method) throw new Failure(EXIT.usage, `--method cannot be "${each}".`, 'It is a method and calls a second, such as eth_getLogs=5.')
    return { method, perSecond: integerOf(calls ?? '', '--method', 1) }
  })
}

function countOf(given: string | undefined, option: string): number | undefined {
  return given === undefined ? undefined : integerOf(given, option, 1)
}

function countOrNone(given: string | undefined, option: string): number | null | undefined {
  return given === NONE ? null : countOf(given, option)
}

export const projectLimitsCommands = [limits]

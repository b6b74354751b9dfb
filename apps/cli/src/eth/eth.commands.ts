import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { METHOD_NAMESPACES, MethodNamespaces } from '@trestle/contracts/eth-rpc/projects'
import { isQuorumSize, type QuorumSize, quorumSizeIn } from '@trestle/contracts/eth-rpc/quorum'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { type CommandRun, command, repeated, text, YES } from '../command/command.js'
import { jsonParams } from '../command/json-params.js'
import { EXIT, Failure } from '../failure/failure.js'
import { bytesText } from '../output/amount.js'
import { clock, millisOf, relative } from '../output/duration.js'
import { selectProject } from './project.js'

const CHAIN = chainOption('evm')
const PROJECT = text('project', 'its name or the beginning of its id; required if you have several', { short: 'p' })
const QUORUM = text('quorum', 'how many of how many nodes must give the same answer, such as 2/3; the project must allow it')
const WHICH = { project: { about: 'its name or the beginning of its id' } } as const
const base = '/{chain}'

async function of(run: CommandRun<unknown, typeof CHAIN>) {
  return run.api.evm(await chosenChain(run, 'evm', run.options.chain))
}

/** The selected project. An id is a credential, so its beginning or a name is enough. */
async function projectOf(run: CommandRun<unknown, typeof CHAIN>, named?: string) {
  return selectProject(await (await of(run)).projects.list(), named)
}

function sizeIn(written: string): QuorumSize {
  const size = quorumSizeIn(written)
  if (!isQuorumSize(size)) throw new Failure(EXIT.usage, 'A quorum is such as 2/3: more than half of 2 to 7 nodes.')
  return size
}

const call = command({
  name: 'eth call',
  about: 'Call a JSON-RPC method through one of your projects.',
  details: ['A parameter that is JSON is sent as JSON, anything else as text. Put one that begins with - after --.'],
  args: { method: { about: 'the method, such as eth_blockNumber' }, params: { about: 'the parameters', many: true } },
  options: { ...CHAIN, project: PROJECT, quorum: QUORUM },
  calls: { base, endpoints: [ethRpc.projects.list] },
  examples: [
    ['trestle eth call eth_blockNumber', 'the newest block'],
    ['trestle eth call eth_getBalance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 latest', 'with parameters'],
    ['trestle eth call eth_getBlockByNumber \'"latest"\' false -p mine', 'through a project of that name'],
    ['trestle eth call eth_getBalance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 latest --quorum 2/3', 'as two of three nodes say'],
  ],
  run: async (run) => {
    const agreement = run.options.quorum === undefined ? undefined : sizeIn(run.options.quorum)
    const project = await projectOf(run, run.options.project)
    const provider = (await of(run)).provider(project, { quorum: agreement })
    return provider.request({ method: run.args.method, params: jsonParams(run.args.params) })
  },
  view: (result) => (typeof result === 'string' ? result : JSON.stringify(result, null, 2)),
})

const list = command({
  name: 'eth projects list',
  about: 'Your projects, newest first.',
  details: ['The URL of a project is a credential unless a token is required: treat it as a password.'],
  options: CHAIN,
  calls: { base, endpoints: [ethRpc.projects.list] },
  examples: [['trestle eth projects list', 'with their URLs']],
  run: async (run) => (await of(run)).projects.list(),
  view: (projects, now) => ({
    head: ['NAME', 'URL', 'TOKEN', 'UNITS/S', 'UNITS/DAY', 'CREATED'],
    rows: projects.map(({ name, url, requireToken, limits, createdAt }) => [
      name,
      url,
      requireToken ? 'needed' : 'no',
      limits.perSecond,
      limits.perDay,
      relative(createdAt, now),
    ]),
    none: 'No projects. Create one: trestle eth projects create <name>',
  }),
})

const create = command({
  name: 'eth projects create',
  about: 'Create a project: a URL for JSON-RPC calls.',
  args: { name: { about: 'the name' } },
  options: CHAIN,
  calls: { base, endpoints: [ethRpc.projects.create] },
  examples: [['trestle eth projects create mine', 'shows its URL, for viem, ethers and other clients']],
  run: async (run) => (await of(run)).projects.create({ body: { name: run.args.name } }),
  view: ({ name, url, limits }) => ({
    fields: [
      ['name', name],
      ['url', url],
      ['units/s', limits.perSecond],
      ['units/day', limits.perDay],
    ],
  }),
})

const namespaces = command({
  name: 'eth projects namespaces',
  about: 'Which methods beyond eth, net and web3 may be called through a project.',
  details: ['Administrators grant them to you: trestle eth limits show. Whoever has the URL of the project can call them.'],
  args: {
    project: WHICH.project,
    namespaces: { about: `some of ${METHOD_NAMESPACES.join(', ')}; none: no such methods`, many: true, optional: true },
  },
  options: CHAIN,
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.projects.change] },
  examples: [
    ['trestle eth projects namespaces mine debug trace', 'traces'],
    ['trestle eth projects namespaces mine', 'none'],
  ],
  run: async (run) => {
    const { data } = MethodNamespaces.safeParse(run.args.namespaces)
    if (!data) throw new Failure(EXIT.usage, `A namespace is one of ${METHOD_NAMESPACES.join(', ')}.`)
    const { id } = await projectOf(run, run.args.project)
    return (await of(run)).projects.change({ params: { projectId: id }, body: { namespaces: data } })
  },
  view: (project) => ({
    fields: [
      ['name', project.name],
      ['namespaces', project.namespaces?.join(', ') ?? 'none'],
    ],
  }),
})

const NO_QUORUM = 'none'

const quorum = command({
  name: 'eth projects quorum',
  about: 'How many of how many nodes must give the same answer to calls of a project.',
  details: ['Each node costs the compute units of the call. Methods that nodes cannot be compared by are answered as before.'],
  args: { project: WHICH.project, quorum: { about: `such as 2/3: more than half; ${NO_QUORUM}: one node is enough` } },
  options: {
    ...CHAIN,
    method: repeated('method', 'only this one, or those that begin so, such as eth_get*'),
    header: text('calls', 'whether calls may ask for it by the header Trestle-Quorum: also those, or those alone', {
      choices: ['also', 'only'],
    }),
  },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.projects.change] },
  examples: [
    ['trestle eth projects quorum mine 2/3', 'for all methods that can have it'],
    ['trestle eth projects quorum mine 2/3 --method eth_call --header also', 'for one, and for calls that ask'],
    [`trestle eth projects quorum mine ${NO_QUORUM}`, 'as at first'],
  ],
  run: async (run) => {
    const { options, args } = run
    const size = args.quorum === NO_QUORUM ? null : sizeIn(args.quorum)
    const methods = options.header === 'only' ? [] : options.method?.length ? [...options.method] : undefined
    const { id } = await projectOf(run, args.project)
    const body = { quorum: size && { ...size, methods, byHeader: options.header !== undefined } }
    return (await of(run)).projects.change({ params: { projectId: id }, body })
  },
  view: ({ name, quorum: changed }) => ({
    fields: [
      ['name', name],
      ['quorum', changed ? `${changed.agreeing}/${changed.nodes}` : NO_QUORUM],
      ['methods', changed?.methods.join(', ') ?? ''],
      ['by header', changed?.byHeader ? 'yes' : 'no'],
    ],
  }),
})

const rotate = command({
  name: 'eth projects rotate',
  about: 'Give a project a new id and URL. The old ones are refused within 2 seconds.',
  args: WHICH,
  options: { ...CHAIN, grace: text('time', 'how long the old id stays valid, such as 1h'), ...YES },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.projects.rotate] },
  examples: [['trestle eth projects rotate mine --grace 1h', 'with an hour to update callers']],
  run: async (run) => {
    const { id, name } = await projectOf(run, run.args.project)
    const graceSeconds = run.options.grace ? millisOf(run.options.grace, '--grace') / 1000 : 0
    await run.terminal.confirm(`Give ${name} a new id? Callers need the new URL.`, run.options.yes)
    return (await of(run)).projects.rotate({ params: { projectId: id }, body: { graceSeconds } })
  },
  view: ({ name, url, formerIdUntil }, now) => ({
    fields: [
      ['name', name],
      ['url', url],
      ['old id ends', relative(formerIdUntil, now) || 'now'],
    ],
  }),
})

const rm = command({
  name: 'eth projects rm',
  about: 'Delete a project. Calls are refused within 2 seconds.',
  args: WHICH,
  options: { ...CHAIN, ...YES },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.projects.remove] },
  examples: [['trestle eth projects rm mine', 'after a confirmation']],
  async run(run) {
    const { id, name } = await projectOf(run, run.args.project)
    await run.terminal.confirm(`Delete the project ${name}? Calls through it will be refused.`, run.options.yes)
    await (await of(run)).projects.remove({ params: { projectId: id } })
    run.terminal.note(`The project ${name} is deleted.`)
    return undefined
  },
})

const usage = command({
  name: 'eth usage',
  about: 'Calls through a project, by method and hour or day (UTC).',
  options: {
    ...CHAIN,
    project: PROJECT,
    since: text('time', 'how far back, such as 24h or 30d', { default: '24h' }),
    by: text('step', 'the granularity', { choices: ['hour', 'day'], default: 'hour' }),
  },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.usage.list] },
  examples: [['trestle eth usage --since 30d --by day', 'a month']],
  run: async (run) => {
    const { options, now } = run
    const { id } = await projectOf(run, options.project)
    const from = new Date(now().getTime() - millisOf(options.since, '--since')).toISOString()
    return (await of(run)).usage.list({ params: { projectId: id }, query: { from, granularity: options.by } })
  },
  view: ({ usage: rows }) => ({
    head: ['TIME (UTC)', 'METHOD', 'CALLS', 'ERRORS', 'UNITS', 'FROM CACHE', 'SIZE', 'P50', 'P95'],
    rows: rows.map(({ time, method, calls, errors, computeUnits, cacheHits, bytesOut, latency }) => [
      clock(time),
      method,
      calls,
      errors,
      computeUnits,
      cacheHits,
      bytesText(bytesOut),
      milliseconds(latency.p50),
      milliseconds(latency.p95),
    ]),
    none: 'No calls in that time.',
  }),
})

function milliseconds(latency: number | null): string {
  return latency === null ? '-' : `${Number(latency.toPrecision(2))} ms`
}

export const ethCommands = [call, list, create, namespaces, quorum, rotate, rm, usage]

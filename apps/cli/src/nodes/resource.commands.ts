import type { EndpointSpec } from '@trestle/contracts/endpoint'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { Node } from '@trestle/contracts/nodes/nodes'
import { type Command, type CommandRun, command, flag, text, YES } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { jsonParams } from '../command/json-params.js'
import { clock, relative } from '../output/duration.js'
import { stateCell } from '../output/view.js'
import { changesOf, linesOf, untilReady } from './polling.js'
import { accessFields, conditionTable, detailOf, type ResourceStatus, statusSheet } from './resource-views.js'

/** Nodes or clusters: the same commands manage both. */
export interface ResourceKind {
  /** `nodes`, `clusters` */
  readonly noun: 'nodes' | 'clusters'
  readonly one: string
  /** An id for the examples. */
  readonly example: string
  readonly endpoints: Readonly<
    Record<'get' | 'remove' | 'restore' | 'transfer' | 'stop' | 'start' | 'rotateCredentials' | 'status' | 'logs', EndpointSpec>
  >
}

interface One {
  readonly params: { id: string }
}

/** What the calls of nodes and clusters have in common. */
interface ResourceCalls {
  get(input: One): Promise<Node | Cluster>
  status(input: One): Promise<ResourceStatus>
  logs(input: One & { query: { lines: string } }): Promise<{ lines: string[] }>
  stop(input: One): Promise<Node | Cluster>
  start(input: One): Promise<Node | Cluster>
  rotateCredentials(input: One): Promise<Node | Cluster>
  remove(input: One & { query: { purge?: string } }): Promise<{ id: string; state: string }>
  restore(input: One): Promise<Node | Cluster>
  transfer(input: One & { body: { organization: string } }): Promise<Node | Cluster>
}

const WAIT = { wait: flag('wait until it is ready', 'w') } as const

export function resourceCommands(kind: ResourceKind): Command[] {
  return [info(kind), status(kind), logs(kind), stop(kind), start(kind), rotate(kind), rm(kind), restore(kind), transfer(kind), rpc(kind)]
}

function of({ noun }: ResourceKind, { api }: CommandRun): ResourceCalls {
  return api.nodes[noun]
}

function described({ noun, endpoints }: ResourceKind, verb: keyof ResourceKind['endpoints'], name: string) {
  return { name: `${noun} ${name}`, calls: { base: '/nodes', endpoints: [endpoints[verb]] } } as const
}

function idOf({ one }: ResourceKind) {
  return { id: { about: `the ${one}` } } as const
}

function info(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'get', 'info'),
    about: `One ${kind.one}: what it is, and how to call it.`,
    args: idOf(kind),
    options: { reveal: flag('show its password') },
    examples: [[`trestle ${kind.noun} info ${kind.example} --reveal`, 'with its password']],
    run: (run) => of(kind, run).get({ params: { id: run.args.id } }),
    view: (resource, now, { reveal }) => [infoSheet(resource, now, reveal), conditionTable(resource.conditions)],
  })
}

export function infoSheet(resource: Node | Cluster, now: Date, isRevealed: boolean) {
  const { id, chain, network, phase, serviceData, url, auth, allowedIps, createdAt, ttl } = resource
  const cluster = 'capacity' in resource ? resource : undefined
  return {
    fields: [
      ['id', id],
      ['alias', cluster?.alias],
      ['chain', `${chain} ${network}`],
      ['software', `${serviceData.software}, ${serviceData.performance}`],
      ['phase', stateCell(phase)],
      ['healthy', cluster && `${cluster.healthCount} of ${cluster.capacity}`],
      ['url', url],
      ...accessFields(auth, isRevealed),
      ['open to', allowedIps.join(', ') || 'any address'],
      ['created', relative(createdAt, now)],
      ['stops', relative(Number(ttl) * 1000, now)],
    ] as const,
  }
}

function status(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'status', 'status'),
    about: `The phase and conditions of a ${kind.one}.`,
    args: idOf(kind),
    options: { watch: flag('print every change until Ctrl-C', 'w') },
    examples: [[`trestle ${kind.noun} status ${kind.example} --watch`, 'until Ctrl-C']],
    run: async (run) => {
      const read = () => of(kind, run).status({ params: { id: run.args.id } })
      return run.options.watch ? changesOf(run, read) : read()
    },
    view: (current) => [
      statusSheet(current),
      conditionTable(current.conditions),
      ...(current.members
        ? [
            {
              head: ['NODE', 'SOFTWARE', 'PHASE', 'HEIGHT'],
              rows: current.members.map(({ id, software, phase, height }) => [id, software, stateCell(phase), height]),
            },
          ]
        : []),
    ],
    line: (current: ResourceStatus) => `${current.asOf ? clock(current.asOf) : '-'}  ${detailOf(current)}`,
  })
}

function logs(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'logs', 'logs'),
    about: `The last log lines of a ${kind.one}.`,
    args: idOf(kind),
    options: {
      lines: text('count', 'the number of lines', { short: 'n', default: '100' }),
      follow: flag('print new lines until Ctrl-C', 'f'),
    },
    examples: [[`trestle ${kind.noun} logs ${kind.example} -f`, 'until Ctrl-C']],
    run: async (run) => {
      const first = String(integerOf(run.options.lines, '--lines', 1, 1000))
      const read = (lines: string) => of(kind, run).logs({ params: { id: run.args.id }, query: { lines } })
      return run.options.follow ? linesOf(run, first, read) : read(first)
    },
    view: ({ lines }) => lines.join('\n'),
    line: (line: string) => line,
  })
}

function stop(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'stop', 'stop'),
    about: `Stop a ${kind.one}. Its data is kept.`,
    args: idOf(kind),
    examples: [[`trestle ${kind.noun} stop ${kind.example}`, 'its data is kept']],
    run: (run) => of(kind, run).stop({ params: { id: run.args.id } }),
    view: ({ id, phase }) => ({
      fields: [
        ['id', id],
        ['phase', stateCell(phase)],
      ],
    }),
  })
}

function start(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'start', 'start'),
    about: `Start a stopped ${kind.one}.`,
    args: idOf(kind),
    options: WAIT,
    examples: [[`trestle ${kind.noun} start ${kind.example} --wait`, 'waits until it is ready']],
    run: async (run) => {
      const { args, options } = run
      const params = { id: args.id }
      const started = await of(kind, run).start({ params })
      if (!options.wait) return started
      await whenReady(run, kind, started.id)
      return of(kind, run).get({ params })
    },
    view: ({ id, phase }) => ({
      fields: [
        ['id', id],
        ['phase', stateCell(phase)],
      ],
    }),
  })
}

/** Waits; an interrupt says how to follow the rest. */
export function whenReady(run: CommandRun, kind: ResourceKind, id: string): Promise<void> {
  run.whenInterrupted(`${id} continues in the background. Follow it with: trestle ${kind.noun} status ${id} --watch`)
  return untilReady(run, id, () => of(kind, run).status({ params: { id } }))
}

function rotate(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'rotateCredentials', 'rotate'),
    about: `Replace the user and password of a ${kind.one}. The old ones are refused within 2 seconds.`,
    args: idOf(kind),
    examples: [[`trestle ${kind.noun} rotate ${kind.example}`, 'shows the new ones']],
    run: (run) => of(kind, run).rotateCredentials({ params: { id: run.args.id } }),
    view: ({ id, auth }) => ({ fields: [['id', id], ...accessFields(auth, true)] }),
  })
}

function rm(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'remove', 'rm'),
    about: `Remove a ${kind.one}. Its data is kept for 72 hours by default: restore brings it back.`,
    args: idOf(kind),
    options: { ...YES, purge: flag('delete its data at once, also of a removed one') },
    examples: [[`trestle ${kind.noun} rm ${kind.example}`, 'after a confirmation']],
    run: async (run) => {
      const { args, options, terminal } = run
      const question = options.purge
        ? `Delete ${args.id} and all its data? This cannot be undone.`
        : `Remove ${args.id}? trestle ${kind.noun} restore brings it back while its data is kept.`
      await terminal.confirm(question, options.yes)
      return of(kind, run).remove({ params: { id: args.id }, query: options.purge ? { purge: 'true' } : {} })
    },
    view: ({ id, state }) => ({
      fields: [
        ['id', id],
        ['state', stateCell(state)],
      ],
    }),
  })
}

function restore(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'restore', 'restore'),
    about: `Restore a removed ${kind.one}, with its data, URL and credentials. list --all shows what was removed.`,
    args: idOf(kind),
    examples: [[`trestle ${kind.noun} restore ${kind.example}`, 'at once']],
    run: (run) => of(kind, run).restore({ params: { id: run.args.id } }),
    view: ({ id, state }) => ({
      fields: [
        ['id', id],
        ['state', stateCell(state)],
      ],
    }),
  })
}

function transfer(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'transfer', 'transfer'),
    about: `Give a ${kind.one} to another organization in which you may create ${kind.noun}.`,
    details: ['Its URL, credentials and data stay.'],
    args: { ...idOf(kind), organization: { about: 'the id of the organization that is to own it' } },
    examples: [[`trestle ${kind.noun} transfer ${kind.example} org-…`, 'its URL stays']],
    run: (run) => of(kind, run).transfer({ params: { id: run.args.id }, body: { organization: run.args.organization } }),
    view: ({ id, organization }) => ({
      fields: [
        ['id', id],
        ['organization', organization ?? ''],
      ],
    }),
  })
}

function rpc(kind: ResourceKind): Command {
  return command({
    ...described(kind, 'get', 'rpc'),
    about: `Call a ${kind.one} by JSON-RPC, with its credentials.`,
    details: ['A parameter that is JSON is sent as JSON, anything else as text. Put one that begins with - after --.'],
    args: { ...idOf(kind), method: { about: 'the method' }, params: { about: 'the parameters', many: true } },
    examples: [
      [`trestle ${kind.noun} rpc ${kind.example} getblockchaininfo`, 'a bitcoind or a litecoind'],
      [`trestle ${kind.noun} rpc ${kind.example} getblockhash 0`, 'with a number'],
    ],
    run: async (run) => {
      const { api, args } = run
      const node = await of(kind, run).get({ params: { id: args.id } })
      return api.nodes.rpc({ node, method: args.method, params: jsonParams(args.params) })
    },
    view: (result) => (typeof result === 'string' ? result : JSON.stringify(result, null, 2)),
  })
}

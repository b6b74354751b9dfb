import { nodesArea } from '@trestle/contracts/nodes/api'
import { IMAGES } from '@trestle/contracts/nodes/shapes'
import { OTHER_CHAIN, OTHER_TITLE } from '../chains/chain-choice.js'
import { command, flag, repeated, text } from '../command/command.js'
import { millisOf, relative } from '../output/duration.js'
import { stateCell } from '../output/view.js'
import { infoSheet, type ResourceKind, resourceCommands, whenReady } from './resource.commands.js'

const NODES: ResourceKind = {
  noun: 'nodes',
  one: 'node',
  example: 'node-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
  endpoints: nodesArea.nodes,
}

const base = '/nodes'

const create = command({
  name: 'nodes create',
  about: 'Create a node.',
  details: ['It has its own user and password, which are shown; with --jwt it takes your access tokens instead.'],
  args: { image: { about: 'the chain', choices: IMAGES } },
  options: {
    wait: flag('wait until it is ready', 'w'),
    large: flag('a larger machine'),
    jwt: flag('accept your access tokens instead of a password'),
    ttl: text('time', 'stop it automatically after this time, such as 8h'),
    allow: repeated('address', 'an address or range that may call it, such as 10.0.0.0/8; by default any'),
  },
  calls: { base, endpoints: [nodesArea.nodes.create, nodesArea.nodes.status] },
  examples: [
    [`trestle nodes create ${OTHER_CHAIN} --wait`, `a node of ${OTHER_TITLE}, once it is ready`],
    ['trestle nodes create eth --jwt --ttl 8h -o json', 'for eight hours, called with a token'],
  ],
  async run(run) {
    const { api, args, options } = run
    const { large, jwt, allow } = options
    const ttl = options.ttl ? millisOf(options.ttl, '--ttl') / 1000 : undefined
    const created = await api.nodes.nodes.create({ body: { image: args.image, large, jwt, ttl, allowedIps: allow } })
    if (!options.wait) return created
    await whenReady(run, NODES, created.id)
    return { ...created, ...(await api.nodes.nodes.get({ params: { id: created.id } })) }
  },
  view: (node, now) => infoSheet(node, now, true),
})

const list = command({
  name: 'nodes list',
  about: 'Your nodes, oldest first.',
  options: { all: flag('include removed ones', 'a') },
  calls: { base, endpoints: [nodesArea.nodes.list, nodesArea.nodes.statuses] },
  examples: [
    ['trestle nodes list', 'with phase and height'],
    ["trestle nodes list -o json | jq -r '.[].id'", 'ids, for a script'],
  ],
  async run({ api, options }) {
    const query = { all: String(options.all) }
    const [nodes, statuses] = await Promise.all([api.nodes.nodes.list({ query }), api.nodes.nodes.statuses({ query })])
    const byId = new Map(statuses.map((status) => [status.id, status]))
    // A node created between the two requests has no status yet.
    return nodes.map((node) => ({ ...node, height: byId.get(node.id)?.height ?? null, lag: byId.get(node.id)?.lag ?? null }))
  },
  view: (nodes, now) => ({
    head: ['ID', 'CHAIN', 'SOFTWARE', 'PHASE', 'HEIGHT', 'LAG', 'AUTH', 'CREATED', 'STOPS'],
    rows: nodes.map(({ id, chain, network, serviceData, phase, height, lag, auth, createdAt, ttl }) => [
      id,
      `${chain} ${network}`,
      serviceData.software,
      stateCell(phase),
      height,
      lag,
      auth.type,
      relative(createdAt, now),
      relative(Number(ttl) * 1000, now),
    ]),
    none: `No nodes. Create one: trestle nodes create ${OTHER_CHAIN} --wait`,
  }),
})

const images = command({
  name: 'nodes images',
  about: 'The catalogue of nodes, and what is missing to create the others.',
  calls: { base, endpoints: [nodesArea.catalogue.nodeServices] },
  examples: [['trestle nodes images', 'the catalogue, with sizes']],
  run: ({ api }) => api.nodes.catalogue.nodeServices(),
  view: (services) => ({
    head: ['IMAGE', 'NETWORK', 'SOFTWARE', 'SIZE', 'CPUS', 'MEMORY', 'DISK', 'SERVICE', ''],
    rows: services.map(({ id, chain, network, metadata, disabled, missing }) => [
      chain,
      network,
      metadata.software,
      metadata.performance,
      metadata.cpus,
      `${metadata.memoryMiB} MiB`,
      `${metadata.diskGiB} GiB`,
      id,
      disabled ? 'disabled' : missing,
    ]),
  }),
})

export const nodesCommands = [create, list, images, ...resourceCommands(NODES)]

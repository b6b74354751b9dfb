import { nodesArea } from '@trestle/contracts/nodes/api'
import { IMAGES, type Image } from '@trestle/contracts/nodes/shapes'
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
  about: 'Make a node.',
  details: ['It is called with a user and a password of its own, which are shown now; with --jwt with a token of yours instead.'],
  args: { image: { about: 'of which chain', choices: IMAGES } },
  options: {
    wait: flag('go on only when it can be called', 'w'),
    large: flag('a larger one'),
    jwt: flag('called with a token of yours, and nobody else'),
    ttl: text('time', 'when it is stopped by itself, such as 8h'),
    allow: repeated('address', 'who may call it: an address or a range such as 10.0.0.0/8; anybody when left out'),
  },
  calls: { base, endpoints: [nodesArea.nodes.create, nodesArea.nodes.status] },
  examples: [
    [`trestle nodes create ${OTHER_CHAIN} --wait`, `a node of ${OTHER_TITLE}, once it can be called`],
    ['trestle nodes create eth --jwt --ttl 8h -o json', 'for a day of work, called with a token'],
  ],
  async run(run) {
    const { api, args, options } = run
    const { large, jwt, allow } = options
    const ttl = options.ttl ? millisOf(options.ttl, '--ttl') / 1000 : undefined
    const created = await api.nodes.nodes.create({ body: { image: args.image as Image, large, jwt, ttl, allowedIps: allow } })
    if (!options.wait) return created
    await whenReady(run, NODES, created.id)
    return { ...created, ...(await api.nodes.nodes.get({ params: { id: created.id } })) }
  },
  view: (node, now) => infoSheet(node, now, true),
})

const list = command({
  name: 'nodes list',
  about: 'Your nodes, oldest first.',
  options: { all: flag('those that were removed too', 'a') },
  calls: { base, endpoints: [nodesArea.nodes.list, nodesArea.nodes.statuses] },
  examples: [
    ['trestle nodes list', 'each with its phase, and how far it is'],
    ["trestle nodes list -o json | jq -r '.[].id'", 'ids, for a script'],
  ],
  async run({ api, options }) {
    const query = { all: String(options.all) }
    const [nodes, statuses] = await Promise.all([api.nodes.nodes.list({ query }), api.nodes.nodes.statuses({ query })])
    const byId = new Map(statuses.map((status) => [status.id, status]))
    // One that came between the two questions has not been looked at.
    return nodes.map((node) => ({ ...node, height: byId.get(node.id)?.height ?? null, lag: byId.get(node.id)?.lag ?? null }))
  },
  view: (nodes, now) => ({
    head: ['ID', 'CHAIN', 'SOFTWARE', 'PHASE', 'HEIGHT', 'BEHIND', 'OPENED BY', 'CREATED', 'STOPS'],
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
    none: `No nodes yet. A first one: trestle nodes create ${OTHER_CHAIN} --wait`,
  }),
})

const images = command({
  name: 'nodes images',
  about: 'What nodes can be made of, and what is missing for the rest.',
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

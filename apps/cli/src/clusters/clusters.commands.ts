import { nodesArea } from '@trestle/contracts/nodes/api'
import { IMAGES } from '@trestle/contracts/nodes/shapes'
import { OTHER_CHAIN, OTHER_TITLE } from '../chains/chain-choice.js'
import { command, flag, repeated, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { infoSheet, type ResourceKind, resourceCommands, whenReady } from '../nodes/resource.commands.js'
import { millisOf, relative } from '../output/duration.js'
import { stateCell } from '../output/view.js'

const CLUSTERS: ResourceKind = {
  noun: 'clusters',
  one: 'cluster',
  example: 'cluster-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
  endpoints: nodesArea.clusters,
}

const base = '/nodes'

const create = command({
  name: 'clusters create',
  about: 'Create a cluster: several nodes of one chain behind one URL.',
  args: { image: { about: 'the chain', choices: IMAGES } },
  options: {
    wait: flag('wait until all its nodes are ready', 'w'),
    capacity: text('count', 'the number of nodes, from 2 to 10', { default: '2' }),
    alias: text('name', 'a unique name'),
    large: flag('larger machines'),
    jwt: flag('accept your access tokens instead of a password'),
    ttl: text('time', 'stop it automatically after this time, such as 8h'),
    allow: repeated('address', 'an address or range that may call it, such as 10.0.0.0/8; by default any'),
  },
  calls: { base, endpoints: [nodesArea.clusters.create, nodesArea.clusters.status] },
  examples: [
    [`trestle clusters create ${OTHER_CHAIN} --capacity 3 --alias shop --wait`, `three nodes of ${OTHER_TITLE}, once they are ready`],
  ],
  async run(run) {
    const { api, args, options } = run
    const { large, jwt, allow, alias } = options
    const capacity = integerOf(options.capacity, '--capacity', 2, 10)
    const ttl = options.ttl ? millisOf(options.ttl, '--ttl') / 1000 : undefined
    const body = { image: args.image, large, jwt, ttl, capacity, alias, allowedIps: allow }
    const created = await api.nodes.clusters.create({ body })
    if (!options.wait) return created
    await whenReady(run, CLUSTERS, created.id)
    return { ...created, ...(await api.nodes.clusters.get({ params: { id: created.id } })) }
  },
  view: (cluster, now) => infoSheet(cluster, now, true),
})

const list = command({
  name: 'clusters list',
  about: 'Your clusters, oldest first.',
  options: { all: flag('include removed ones', 'a') },
  calls: { base, endpoints: [nodesArea.clusters.list] },
  examples: [['trestle clusters list', 'with phase and healthy nodes']],
  run: ({ api, options }) => api.nodes.clusters.list({ query: { all: String(options.all) } }),
  view: (clusters, now) => ({
    head: ['ID', 'NAME', 'CHAIN', 'SOFTWARE', 'PHASE', 'HEALTHY', 'CREATED', 'STOPS'],
    rows: clusters.map(({ id, alias, chain, network, serviceData, phase, healthCount, capacity, createdAt, ttl }) => [
      id,
      alias,
      `${chain} ${network}`,
      serviceData.software,
      stateCell(phase),
      `${healthCount}/${capacity}`,
      relative(createdAt, now),
      relative(Number(ttl) * 1000, now),
    ]),
    none: `No clusters. Create one: trestle clusters create ${OTHER_CHAIN} --wait`,
  }),
})

const scale = command({
  name: 'clusters scale',
  about: 'Change the number of nodes of a cluster. No call fails because of it.',
  args: { id: { about: 'the cluster' }, capacity: { about: 'the number of nodes, from 2 to 10' } },
  calls: { base, endpoints: [nodesArea.clusters.change] },
  examples: [[`trestle clusters scale ${CLUSTERS.example} 4`, 'one after the other']],
  run: ({ api, args }) =>
    api.nodes.clusters.change({ params: { id: args.id }, body: { capacity: integerOf(args.capacity, '<capacity>', 2, 10) } }),
  view: (cluster, now) => infoSheet(cluster, now, false),
})

const upgrade = command({
  name: 'clusters upgrade',
  about: 'Change the software or size of the nodes of a cluster, one after the other. No call fails because of it.',
  args: { id: { about: 'the cluster' }, service: { about: 'a catalogue entry of the same chain' } },
  calls: { base, endpoints: [nodesArea.clusters.change] },
  examples: [
    [`trestle clusters upgrade ${CLUSTERS.example} service-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11`, 'follow it with clusters status --watch'],
  ],
  run: ({ api, args }) => api.nodes.clusters.change({ params: { id: args.id }, body: { serviceId: args.service } }),
  view: (cluster, now) => infoSheet(cluster, now, false),
})

const abort = command({
  name: 'clusters abort',
  about: 'Abort an upgrade and go back to the previous service.',
  args: { id: { about: 'the cluster' } },
  calls: { base, endpoints: [nodesArea.clusters.abortUpdate] },
  examples: [[`trestle clusters abort ${CLUSTERS.example}`, 'while it is updating']],
  run: ({ api, args }) => api.nodes.clusters.abortUpdate({ params: { id: args.id } }),
  view: (cluster, now) => infoSheet(cluster, now, false),
})

export const clustersCommands = [create, list, scale, upgrade, abort, ...resourceCommands(CLUSTERS)]

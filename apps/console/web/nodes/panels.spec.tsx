import type { Node } from '@trestle/contracts/nodes/nodes'
import { NODE_PHASES } from '@trestle/contracts/nodes/shapes'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { ClusterPage } from './cluster-page.js'
import { LogsPanel } from './logs.js'
import { MetricsPanel } from './metrics.js'
import { filterNodes } from './node-filter.js'
import { WorkloadSettings } from './workload-settings.js'

const ID = 'node-11111111-aaaa-bbbb-cccc-0123456789ab'
const OTHER = 'node-22222222-aaaa-bbbb-cccc-ba9876543210'
const SINCE = '2026-03-01T12:00:00.000Z'
const AWAY = new Problem('unavailable', 'Away', 'The service is away.')

describe(filterNodes, () => {
  const node = (id: string, chain: string, software: string, phase: (typeof NODE_PHASES)[number]) => ({
    id,
    chain,
    network: 'regtest',
    phase,
    serviceData: { software },
  })
  const nodes = [node('node-1', 'ltc', 'Litecoin Core 0.21', 'ready'), node('node-2', 'btc', 'Bitcoin Core 29', 'failed')]
  const found = (search: string) => filterNodes(nodes, search).map(({ id }) => id)

  it.each([
    ['', ['node-1', 'node-2']],
    ['   ', ['node-1', 'node-2']],
    ['node-2', ['node-2']],
    ['LITECOIN', ['node-1']],
    ['ltc', ['node-1']],
    ['core 29', ['node-2']],
    ['ready', ['node-1']],
    ['regtest core', ['node-1', 'node-2']],
    ['bitcoin ready', []],
  ])('search %j finds %j', (search, expected) => {
    expect(found(search)).toEqual(expected)
  })
})

describe(LogsPanel, () => {
  const logs = (kind: 'node' | 'cluster', ...lines: string[]) =>
    rendered(<LogsPanel kind={kind} id={ID} />, { answers: [[['nodes', kind, 'logs', ID, '300'], { lines }]] })

  it('says that nothing was logged, and offers no empty file', () => {
    const page = logs('node')
    expect(page.text).toContain('No log lines yet.')
    expect(page.isEnabled('Download')).toBe(false)
  })

  it('follows the newest lines, and can be paused', () => {
    const page = logs('node', 'height=1', 'height=2')
    expect(page.text).toContain('height=1 height=2')
    expect(page.text).toContain('2 of the last 2 lines')
    expect(page.isEnabled('Pause')).toBe(true)
    expect(page.isEnabled('Download')).toBe(true)
  })

  it('tells nodes of a cluster apart', () => {
    const page = logs('cluster', `${OTHER} started`, `${ID} started`)
    expect(page.all('h2')).toEqual(['Logs of all nodes'])
    expect(page.all('option').slice(0, 3)).toEqual(['All nodes', '…456789ab', '…76543210'])
    expect(logs('node', 'started').input('Node')).toBeUndefined()
  })

  it('shows why logs could not be read', () => {
    const page = rendered(<LogsPanel kind="node" id={ID} />, { failures: [[['nodes', 'node', 'logs', ID, '300'], AWAY]] })
    expect(page.text).toContain('The service is away.')
  })
})

describe(MetricsPanel, () => {
  const DAY_MS = 86_400_000
  const entry = { time: SINCE, method: 'getblock', calls: 8, errors: 1, bytesOut: 1500 }
  const metrics = (usage: readonly object[], days = 1) =>
    rendered(<MetricsPanel kind="node" id={ID} />, {
      answers: [
        [['nodes', 'node', 'usage', ID, 'day'], { from: SINCE, to: new Date(Date.parse(SINCE) + days * DAY_MS).toISOString(), usage }],
      ],
    })

  it('says that nothing was called', () => {
    expect(metrics([]).all('h2')).toEqual(['No calls in this period'])
  })

  it('adds up calls, failures and data', () => {
    const page = metrics([entry, { ...entry, method: 'getblockcount', calls: 2, errors: 0, bytesOut: 500 }])
    expect(page.all('dd')).toEqual(['10', '1', '10 %', '2 kB'])
  })

  it('names refused calls in words', () => {
    expect(metrics([{ ...entry, method: 'other' }]).rows[1]).toEqual(['other (refused)', '8', '1', '12.5 %', '1.5 kB'])
  })

  it.each([
    [1, 'Calls per hour'],
    [8, 'Calls per hour'],
    [9, 'Calls per day (UTC)'],
    [31, 'Calls per day (UTC)'],
  ])('over %i days draws "%s"', (days, title) => {
    expect(metrics([entry], days).text).toContain(title)
  })
})

describe(WorkloadSettings, () => {
  const settings = (change: Partial<Node> = {}) => {
    const workload = partial<Node>({
      id: ID,
      state: 'started',
      ttl: '1798761600',
      allowedIps: ['192.0.2.1'],
      userPlanData: { expiresAt: SINCE },
      ...change,
    })
    return rendered(<WorkloadSettings kind="node" workload={workload} />)
  }

  it('shows allowed addresses, and saves only a change', () => {
    expect(settings().text).toContain('192.0.2.1')
    expect(settings().isEnabled('Save')).toBe(false)
  })

  it('says when it stops, and lets that be changed', () => {
    expect(settings().has('dateTime="2027-01-01T00:00:00.000Z"')).toBe(true)
    expect(settings().isEnabled('Set')).toBe(true)
  })

  it.each([
    ['started', 'Stop'],
    ['stopped', 'Start'],
  ] as const)('of a %s node offers "%s" and "Delete"', (state, action) => {
    const page = settings({ state })
    expect([page.isEnabled(action), page.isEnabled('Delete')]).toEqual([true, true])
  })
})

describe(ClusterPage, () => {
  const id = 'cluster-1'
  const cluster = {
    id,
    name: 'main',
    chain: 'ltc',
    network: 'regtest',
    state: 'started',
    phase: 'ready',
    service: 'ltc-standard',
    updatingService: null,
    healthCount: 1,
    capacity: 2,
    serviceData: { software: 'Litecoin Core 0.21', performance: 'standard' },
    vendor: { name: 'local', region: 'local', instanceType: 'process', quickSync: false },
    createdAt: SINCE,
    startedAt: SINCE,
    ttl: '1798761600',
  }
  const member = { id: ID, software: 'Litecoin Core 0.21', phase: 'ready', height: 1234, progress: 1, lag: 0, peers: null }
  const clusterPage = (members: readonly object[]) =>
    rendered(<ClusterPage />, {
      at: `/clusters/${id}`,
      route: '/clusters/:id/:tab?',
      answers: [
        [['nodes', 'cluster', 'one', id], cluster],
        [['nodes', 'cluster', 'status', id], { phase: 'ready', conditions: [], members }],
      ],
    })

  it('says how many of its nodes are available', () => {
    const page = clusterPage([member])
    expect(page.all('h1')).toEqual(['main'])
    expect(page.text).toContain('1 of 2 nodes available')
    expect(page.links['Clusters']).toBe('/app/clusters')
  })

  it('lists its nodes, each with how far it is', () => {
    expect(clusterPage([member]).rows[1]).toEqual(['node-11111…6789ab', 'Litecoin Core 0.21', 'Ready', '1,234', '100 %, up to date', '–'])
    expect(clusterPage([]).text).toContain('Waiting to be created.')
  })

  it('shows why it could not be read', () => {
    const failures = [[['nodes', 'cluster', 'one', id], AWAY]] as const
    const page = rendered(<ClusterPage />, { at: `/clusters/${id}`, route: '/clusters/:id/:tab?', failures })
    expect(page.all('h1')).toEqual(['Clusters'])
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Stop')).toBeUndefined()
  })
})

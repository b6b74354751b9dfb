import type { Node } from '@trestle/contracts/nodes/nodes'
import { type Condition, NODE_PHASES } from '@trestle/contracts/nodes/shapes'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { nodesTexts } from '../texts/nodes.js'
import { ClusterList } from './cluster-list.js'
import { Conditions } from './conditions.js'
import { NodeList } from './node-list.js'
import { NodePage } from './node-page.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { PhaseBadge } from './phase-badge.js'
import { ProgressSteps } from './progress-steps.js'
import { StartStopButton } from './start-stop-button.js'
import { Height, Sync } from './sync.js'
import { blockingCondition, isTransitional, progressSteps } from './workload.js'
import { WorkloadConnect } from './workload-connect.js'

const ID = 'node-11111111-aaaa-bbbb-cccc-0123456789ab'
const SINCE = '2026-03-01T12:00:00.000Z'
const NODE = partial<Node>({
  id: ID,
  chain: 'ltc',
  network: 'regtest',
  state: 'started',
  phase: 'ready',
  serviceData: { software: 'Litecoin Core 0.21', performance: 'standard', ports: [23_000] },
  vendor: { name: 'local', region: 'local', instanceType: 'process', quickSync: false },
  auth: { type: 'basic', user: 'u1', pass: 'p4ss' },
  allowedIps: [],
  ip: '127.0.0.1',
  url: 'https://trestle.example/nodes/rpc/node-1',
  createdAt: SINCE,
  startedAt: SINCE,
  ttl: '1798761600',
  conditions: [],
})
const condition = (type: Condition['type'], status: Condition['status'], message = ''): Condition => ({
  type,
  status,
  reason: 'Any',
  message,
  since: SINCE,
})

describe(PhaseBadge, () => {
  it.each(NODE_PHASES)('of %s has a label and an explanation', (phase) => {
    const page = rendered(<PhaseBadge phase={phase} />)
    const { label, text } = nodesTexts.phases[phase]
    expect(page.text).toBe(label)
    expect(page.has(`title="${text}"`)).toBe(true)
  })
})

describe(ProgressSteps, () => {
  it.each(NODE_PHASES)('of %s marks at most one step as current', (phase) => {
    const page = rendered(<ProgressSteps phase={phase} conditions={[]} />)
    expect(page.html.match(/aria-current="step"/g)?.length ?? 0).toBe(phase === 'ready' || phase === 'stopped' ? 0 : 1)
    expect(page.all('li')).toHaveLength(progressSteps(phase, []).length)
  })

  it('says in words what colours show', () => {
    const page = rendered(<ProgressSteps phase="syncing" conditions={[]} />)
    expect(page.text).toContain('Create done')
    expect(page.text).toContain('Sync in progress')
    expect(page.text).toContain('Ready next')
  })
})

describe(ObstacleNotice, () => {
  const notice = (phase: (typeof NODE_PHASES)[number], ...conditions: Condition[]) =>
    rendered(<ObstacleNotice phase={phase} conditions={conditions} />)

  it.each(['ready', 'updating', 'stopping', 'stopped', 'removing'] as const)('only explains %s', (phase) => {
    const page = notice(phase, condition('Synced', 'false', 'It has no peers.'))
    expect(page.text).toBe(nodesTexts.phases[phase].text)
  })

  it.each([
    ['starting', 'Not ready yet'],
    ['syncing', 'Not ready yet'],
    ['degraded', 'Needs attention'],
    ['failed', 'Needs attention'],
  ] as const)('of %s is titled "%s" and names the cause', (phase, title) => {
    const page = notice(phase, condition('Reachable', 'false', 'The program does not answer.'))
    expect(page.text).toContain(title)
    expect(page.all('b')).toEqual(['The program does not answer.'])
  })

  it('shows the reason where there is no message', () => {
    expect(notice('starting', condition('Reachable', 'unknown')).all('b')).toEqual(['Any'])
  })

  it('does without a cause while none is known', () => {
    expect(notice('pending').all('b')).toEqual([])
  })
})

describe(blockingCondition, () => {
  it.each([
    ['nothing where all is well', [condition('Synced', 'true', 'Done.')], undefined],
    ['a failure before an unknown', [condition('Synced', 'unknown', 'Wait.'), condition('Healthy', 'false', 'No.')], 'Healthy'],
    ['a failure with a message before one without', [condition('Synced', 'false'), condition('Healthy', 'false', 'No.')], 'Healthy'],
    [
      'an unknown with a message before a failure without',
      [condition('Synced', 'false'), condition('Healthy', 'unknown', 'Wait.')],
      'Healthy',
    ],
    ['the first where none has a message', [condition('Synced', 'unknown'), condition('Healthy', 'false')], 'Synced'],
  ])('is %s', (_title, conditions, expected) => {
    expect(blockingCondition(conditions)?.type).toBe(expected)
  })
})

describe(isTransitional, () => {
  it('is so for every phase that ends by itself', () => {
    expect(NODE_PHASES.filter(isTransitional)).toEqual(['pending', 'starting', 'syncing', 'updating', 'stopping', 'removing'])
  })
})

describe(Conditions, () => {
  it('has a row each: name, status, reason with message', () => {
    const page = rendered(
      <Conditions conditions={[condition('Reachable', 'true'), condition('StorageOk', 'false', 'The disk is full.')]} />,
    )
    expect(page.rows.map((row) => row.slice(0, 3))).toEqual([
      ['Condition', 'Status', 'Reason'],
      ['Reachable', 'Yes', 'Any'],
      ['Enough disk space', 'No', 'Any The disk is full.'],
    ])
  })

  it('says that nothing is known yet', () => {
    expect(rendered(<Conditions conditions={[]} />).text).toContain('Not checked yet.')
  })
})

describe(Sync, () => {
  it.each([
    [null, null, '–'],
    [1, 0, '100 %, up to date'],
    [1, null, '100 %'],
    [0.9999, 12, '99.9 %, 12 behind'],
    [0.99999, 1, '99.9 %, 1 behind'],
    [0, 1_200_000, '0 %, 1,200,000 behind'],
  ])('of progress %d with lag %d is "%s"', (progress, lag, expected) => {
    expect(rendered(<Sync status={{ progress, lag }} />).text).toBe(expected)
  })
})

describe(Height, () => {
  it('is a dash while unknown', () => {
    expect([rendered(<Height height={null} />).text, rendered(<Height height={1234} />).text]).toEqual(['–', '1,234'])
  })
})

describe(StartStopButton, () => {
  it.each([
    ['started', 'Stop', true],
    ['stopped', 'Start', true],
    ['removed', 'Stop', false],
  ] as const)('of %s offers "%s", enabled %s', (state, name, enabled) => {
    expect(rendered(<StartStopButton kind="node" id={ID} state={state} />).isEnabled(name)).toBe(enabled)
  })
})

describe(WorkloadConnect, () => {
  const connect = (change: Partial<Node> = {}) => rendered(<WorkloadConnect kind="node" workload={{ ...NODE, ...change }} />)

  it('hides the password until asked', () => {
    const page = connect()
    expect(page.html).not.toContain('p4ss')
    expect(page.isEnabled('Show password')).toBe(true)
    expect(page.isEnabled('New credentials')).toBe(true)
  })

  it('puts placeholders into the snippets', () => {
    expect(connect().text).toContain("-u 'USER:PASSWORD'")
  })

  it('shows the direct address where it differs from the endpoint', () => {
    expect(connect().text).toContain('127.0.0.1:23000')
    expect(connect({ ip: 'trestle.example', serviceData: { ...NODE.serviceData, ports: [443] } }).text).not.toContain(
      'Direct host and port',
    )
  })

  it.each([
    ['jwt', 'Call it with a token'],
    ['none', 'No credentials needed'],
  ] as const)('explains %s, and offers no new credentials', (type, expected) => {
    const page = connect({ auth: { type } })
    expect(page.text).toContain(expected)
    expect(page.isEnabled('New credentials')).toBeUndefined()
  })

  it('lists allowed addresses, or says that any is', () => {
    expect(connect().all('dd')).toContain('Any address')
    expect(connect({ allowedIps: ['10.0.0.0/8', '192.0.2.1'] }).all('dd')).toContain('10.0.0.0/8, 192.0.2.1')
  })

  it.each([
    ['ready', false],
    ['degraded', false],
    ['updating', false],
    ['syncing', true],
    ['stopped', true],
  ] as const)('of %s warns that it is not ready: %s', (phase, warns) => {
    expect(connect({ phase }).text.includes('Not ready for calls yet')).toBe(warns)
  })
})

describe(NodeList, () => {
  it('invites to create the first node', () => {
    const page = rendered(<NodeList />, { answers: [[['nodes', 'node', 'list'], []]] })
    expect(page.all('h2')).toEqual(['No nodes yet'])
    expect(page.links['Create a node']).toBe('/app/nodes/new')
  })

  it('lists the newest first, with how far each is', () => {
    const other = { ...NODE, id: 'node-2', chain: 'btc', phase: 'syncing' }
    const page = rendered(<NodeList />, {
      answers: [
        [
          ['nodes', 'node', 'list'],
          [NODE, other],
        ],
        [['nodes', 'node', 'statuses'], [{ id: ID, phase: 'ready', height: 1234, progress: 1, lag: 0 }]],
        [['nodes', 'plan'], { nodes: 5, clusters: 2 }],
      ],
    })
    expect(page.rows.slice(1).map((row) => row.slice(0, 5))).toEqual([
      ['Bitcoin · regtest node-2', 'Litecoin Core 0.21', 'Syncing', '–', '–'],
      [`Litecoin · regtest ${ID}`, 'Litecoin Core 0.21', 'Ready', '1,234', '100 %, up to date'],
    ])
    expect(page.text).toContain('2 of 5 in your plan')
  })
})

describe(ClusterList, () => {
  it('invites to create the first cluster', () => {
    const page = rendered(<ClusterList />, { answers: [[['nodes', 'cluster', 'list'], []]] })
    expect(page.links['Create a cluster']).toBe('/app/clusters/new')
  })

  it('says how many nodes of each are available', () => {
    const cluster = { ...NODE, id: 'cluster-1', name: 'main', healthCount: 1, capacity: 3 }
    const page = rendered(<ClusterList />, { answers: [[['nodes', 'cluster', 'list'], [cluster]]] })
    expect(page.rows[1]?.slice(0, 4)).toEqual(['main Litecoin · regtest', 'Litecoin Core 0.21', 'Ready', '1 of 3'])
  })
})

describe(NodePage, () => {
  it('names the node, its phase and its tabs', () => {
    const page = rendered(<NodePage />, {
      at: `/app/nodes/${ID}`,
      route: '/app/nodes/:id/:tab?',
      answers: [[['nodes', 'node', 'one', ID], NODE]],
    })
    expect(page.all('h1')).toEqual(['Litecoin · regtest'])
    expect(page.links['Nodes']).toBe('/app/nodes')
    for (const tab of Object.values(nodesTexts.page.tabs)) expect(page.text).toContain(tab)
    expect(page.isEnabled('Stop')).toBe(true)
  })
})

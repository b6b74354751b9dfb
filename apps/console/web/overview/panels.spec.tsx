import { Problem } from '@trestle/problem/problem'
import { SERVED_CHAINS } from '../platform/use-chains.js'
import { rendered } from '../testing/rendered.js'
import { CHAINS_ANSWER, SERVICES } from '../testing/served.js'
import { AttentionPanel } from './attention-panel.js'
import { FirstSteps } from './first-steps.js'
import { OverviewPage } from './overview-page.js'
import { PlatformHealth } from './platform-health.js'
import { RunningCounts } from './running-counts.js'
import { UsagePanel } from './usage-panel.js'

type Answer = readonly [key: readonly unknown[], data: unknown]
const AWAY = new Problem('unavailable', 'Away', 'The service is away.')
const NODES = ['nodes', 'node', 'list']
const CLUSTERS = ['nodes', 'cluster', 'list']
const VALIDATORS = ['overview', 'validators']
const PROJECTS = ['overview', 'projects']
const KEYS = ['overview', 'keys']

describe(OverviewPage, () => {
  it('is drawn before anything is known', () => {
    const page = rendered(<OverviewPage />)
    expect(page.all('h1')).toEqual(['Overview'])
    expect(page.all('h2')).toEqual([])
  })
})

describe(RunningCounts, () => {
  const all: Answer[] = [
    [NODES, [{ phase: 'ready' }, { phase: 'syncing' }, { phase: 'ready' }]],
    [CLUSTERS, []],
    [VALIDATORS, [{ status: 'active' }, { status: 'pending' }]],
    [PROJECTS, [{}]],
  ]

  it('counts what there is, and how much of it works', () => {
    const { text } = rendered(<RunningCounts />, { answers: all })
    expect(text).toContain('Nodes 3 2 ready')
    expect(text).toContain('Clusters 0 none yet')
    expect(text).toContain('Validators 2 1 active')
    expect(text).toContain('Ethereum projects 1')
  })

  it('leads to each list', () => {
    expect(Object.values(rendered(<RunningCounts />, { answers: all }).links)).toEqual([
      '/app/nodes',
      '/app/clusters',
      '/app/staking',
      '/app/ethereum',
    ])
  })

  it('says of one count that it is unavailable, and shows the others', () => {
    const { text } = rendered(<RunningCounts />, { answers: all.slice(1), failures: [[NODES, AWAY]] })
    expect(text).toContain('Nodes – unavailable')
    expect(text).toContain('Validators 2 1 active')
  })

  it('claims nothing while it loads', () => {
    const { text } = rendered(<RunningCounts />)
    expect(text).not.toContain('none yet')
    expect(text).not.toContain('unavailable')
  })
})

describe(FirstSteps, () => {
  const steps = (keys: readonly object[], firsts: { call: boolean; node: boolean }, chains: readonly Answer[] = [CHAINS_ANSWER]) =>
    rendered(<FirstSteps />, {
      answers: [[KEYS, keys], [['overview', 'firsts'], firsts], ...chains],
    })

  it.each([
    [[], { call: false, node: false }, ['to do', 'to do', 'to do']],
    [[{}], { call: false, node: false }, ['done', 'to do', 'to do']],
    [[], { call: true, node: false }, ['to do', 'done', 'to do']],
    [[{}], { call: true, node: true }, ['done', 'done', 'done']],
  ])('with keys %j and %j marks the steps %j', (keys, firsts, expected) => {
    const page = steps(keys, firsts)
    expect(page.all('li').map((step) => /\b(done|to do)\b/.exec(step)?.[0])).toEqual(expected)
  })

  it('leads to where each step is done', () => {
    expect(steps([], { call: false, node: false }).links).toEqual({
      'Create a key': '/app/keys',
      'Open the playground': '/app/ethereum/eth/playground',
      'Create a node': '/app/nodes/new',
    })
  })

  it('leads to the playground of a chain that is served, or says that there is none', () => {
    const playgroundOf = (...chains: readonly object[]) =>
      steps([], { call: false, node: false }, [[SERVED_CHAINS, chains]]).links['Open the playground']
    expect(playgroundOf({ name: 'btc', family: 'bitcoin' }, { name: 'base', family: 'evm' })).toBe('/app/ethereum/base/playground')
    expect(playgroundOf({ name: 'btc', family: 'bitcoin' })).toBe('/app/ethereum')
  })
})

describe(AttentionPanel, () => {
  const calm: Answer[] = [NODES, CLUSTERS, VALIDATORS, KEYS].map((key) => [key, []])

  it('says that nothing needs attention only once everything is known', () => {
    expect(rendered(<AttentionPanel />, { answers: calm }).text).toContain('Nothing needs your attention.')
    for (const [missing] of calm) {
      const page = rendered(<AttentionPanel />, { answers: calm.filter(([key]) => key !== missing) })
      expect(page.text).toContain('Checking…')
    }
  })

  it('names what is wrong, marks what is urgent, and leads there', () => {
    const failed = {
      id: 'node-1',
      chain: 'ltc',
      network: 'regtest',
      state: 'started',
      phase: 'failed',
      ttl: '99999999999',
      conditions: [
        { type: 'Provisioned', status: 'false', reason: 'Disk', message: 'The disk is full.', since: '2026-03-01T12:00:00.000Z' },
      ],
    }
    const page = rendered(<AttentionPanel />, { answers: [...calm.slice(1), [NODES, [failed]]] })
    expect(page.all('li')).toHaveLength(1)
    expect(page.text).toContain('cannot be created')
    expect(page.text).toContain('Urgent')
    expect(page.text).toContain('The disk is full.')
    expect(Object.values(page.links)).toEqual(['/app/nodes/node-1'])
  })
})

describe(PlatformHealth, () => {
  const health = (change: Readonly<Record<string, object>> = {}) =>
    rendered(<PlatformHealth />, {
      answers: [
        CHAINS_ANSWER,
        ...SERVICES.map(({ name }): Answer => {
          return [['platform', 'health', name], { name, state: 'up', latencyMs: 3.6, version: '1.2.3', ...change[name] }]
        }),
      ],
    })

  it('says that all is up, and links every reference', () => {
    const page = health()
    expect(page.text).toContain('All services are up.')
    expect(page.text).toContain('4 ms, v1.2.3')
    expect(page.html.match(/aria-label="API of /g)).toHaveLength(SERVICES.length)
    expect(page.text).toContain('mychain: Up')
  })

  it.each([
    [{ nodes: { state: 'down' } }, 'One service is down.'],
    [{ nodes: { state: 'down' }, staking: { state: 'down' } }, '2 services are down.'],
    [{ nodes: { state: undefined } }, 'Checking…'],
    [{ nodes: { state: undefined }, staking: { state: 'down' } }, 'One service is down.'],
    [{ nodes: { state: 'absent' } }, 'All services are up.'],
  ])('with %j says "%s"', (change, expected) => {
    expect(health(change).text).toContain(expected)
  })

  it('links no reference of a service that does not answer', () => {
    const page = health({ nodes: { state: 'down', reason: 'It does not answer.' } })
    expect(page.has('aria-label="API of nodes"')).toBe(false)
    expect(page.has('title="It does not answer."')).toBe(true)
  })
})

describe(UsagePanel, () => {
  const usage = (calls: number, errors: number) => [{ time: new Date().toISOString(), method: 'eth_call', calls, errors }]
  const panel = (nodes: readonly object[], projects: readonly object[]) =>
    rendered(<UsagePanel />, {
      answers: [
        [['overview', 'nodes usage'], nodes],
        [['overview', 'projects usage'], projects],
      ],
    })

  it('adds up what was called, of each kind by itself', () => {
    const { text } = panel(usage(1200, 3), [...usage(1, 0), ...usage(2, 1)])
    expect(text).toContain('1,200 calls, 3 failed')
    expect(text).toContain('3 calls, 1 failed')
  })

  it('says that nothing was called', () => {
    expect(panel([], usage(0, 0)).text.match(/No calls\./g)).toHaveLength(2)
  })

  it('shows one kind while the other fails', () => {
    const page = rendered(<UsagePanel />, {
      answers: [[['overview', 'nodes usage'], usage(5, 0)]],
      failures: [[['overview', 'projects usage'], AWAY]],
    })
    expect(page.text).toContain('5 calls, 0 failed')
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Try again')).toBe(true)
  })
})

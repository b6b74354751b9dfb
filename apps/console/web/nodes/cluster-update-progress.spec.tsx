import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { NODE_PHASES } from '@trestle/contracts/nodes/shapes'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { clustersTexts } from '../texts/nodes.js'
import { ClusterUpdateProgress } from './cluster-update-progress.js'

describe(ClusterUpdateProgress, () => {
  const member = (id: number, phase: (typeof NODE_PHASES)[number]) => ({ id: `node-${id}`, phase, software: 'any' })
  const progress = (cluster: object, ...phases: (typeof NODE_PHASES)[number][]) =>
    rendered(
      <ClusterUpdateProgress
        cluster={partial<Cluster>({ id: 'cluster-1', state: 'started', capacity: 2, updatingService: null, ...cluster })}
        members={phases.map((phase, index) => member(index, phase))}
      />,
    )

  it.each([
    ['all nodes are ready', {}, ['ready', 'ready']],
    ['it is being created', {}, ['syncing', 'syncing']],
    ['it is stopped', { state: 'stopped', capacity: 3 }, ['ready', 'ready']],
  ] as const)('is not shown when %s', (_title, cluster, phases) => {
    expect(progress(cluster, ...phases).text).toBe('')
  })

  it('shows how far a resize is', () => {
    const page = progress({ capacity: 3 }, 'ready', 'ready', 'syncing')
    expect(page.text).toContain('Resizing to 3 nodes')
    expect(page.text).toContain('2 nodes available.')
    expect(progress({ capacity: 2 }, 'ready', 'syncing').text).toContain('1 node available.')
  })

  it('offers to cancel a change of service', () => {
    const page = progress({ updatingService: 'service-2' }, 'ready', 'ready')
    expect(page.text).toContain('Changing to service-2, one node at a time.')
    expect(page.isEnabled('Cancel change')).toBe(true)
  })
})

describe('the texts of clusters', () => {
  it.each([
    [1, '1 node available.'],
    [2, '2 nodes available.'],
  ])('count %i', (count, expected) => {
    expect(clustersTexts.callable(count)).toBe(expected)
  })
})

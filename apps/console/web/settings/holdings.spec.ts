import { holdingsOf } from './holdings.js'

describe(holdingsOf, () => {
  it('names resources and organizations, what blocks the deletion first', () => {
    const resources = [
      { deployment: 'nodes', kind: 'node', state: 'started', count: 2, fate: 'deleted' as const },
      { deployment: 'staking', kind: 'validator', state: 'active', count: 1, fate: 'blocks' as const },
    ]
    const organizations = [{ id: 'org-1', name: 'Engines', fate: 'kept' as const }]
    expect(holdingsOf({ resources, organizations }).map(({ what, count, fate }) => [what, count, fate])).toEqual([
      ['validator (staking)', 1, 'blocks'],
      ['node (nodes)', 2, 'deleted'],
      ['Organization Engines', 1, 'kept'],
    ])
  })
})

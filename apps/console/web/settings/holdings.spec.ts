import { holdingsOf } from './holdings.js'

describe(holdingsOf, () => {
  it('names resources and organizations, what blocks the deletion first', () => {
    const resources = [
      { deployment: 'nodes', kind: 'node', state: 'started', count: 2, effect: 'deleted' as const },
      { deployment: 'staking', kind: 'validator', state: 'active', count: 1, effect: 'blocks' as const },
    ]
    const organizations = [{ id: 'org-1', name: 'Engines', effect: 'kept' as const }]
    expect(holdingsOf({ resources, organizations }).map(({ what, count, effect }) => [what, count, effect])).toEqual([
      ['validator (staking)', 1, 'blocks'],
      ['node (nodes)', 2, 'deleted'],
      ['Organization Engines', 1, 'kept'],
    ])
  })
})

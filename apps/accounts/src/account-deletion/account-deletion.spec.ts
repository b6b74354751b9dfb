import { blockersOf, deletionBlocked, describeDeletion, newDeletion } from './account-deletion.js'

const NOW = new Date('2026-01-01T00:00:00Z')
const NOTHING = { resources: [], organizations: [], unreachable: [] }

describe(newDeletion, () => {
  it('is due after the time of grace', () => {
    expect(newDeletion('user-1', 72, NOW)).toEqual({ userId: 'user-1', requestedAt: NOW, dueAt: new Date('2026-01-04T00:00:00Z') })
  })
})

describe(blockersOf, () => {
  it('says what to do about each, and nothing about what blocks nothing', () => {
    const validator = { deployment: 'staking', kind: 'validator' }
    const resources = [
      { ...validator, state: 'active', count: 1, effect: 'blocks' as const },
      { ...validator, state: 'queued', count: 2, effect: 'blocks' as const },
      { ...validator, state: 'exited', count: 3, effect: 'kept' as const },
    ]
    const organizations = [
      { id: 'org-1', name: 'Engines', effect: 'blocks' as const },
      { id: 'org-2', name: 'Looms', effect: 'kept' as const },
    ]
    expect(blockersOf({ resources, organizations, unreachable: [] })).toEqual([
      'You are the last owner of "Engines": make another member an owner, or remove the other members.',
      'You have 1 validator in the state active: let it exit first.',
      'You have 2 validators in the state queued: let them exit first.',
    ])
    expect(blockersOf(NOTHING)).toEqual([])
  })
})

describe(describeDeletion, () => {
  it('has times only where it was asked for', () => {
    expect(describeDeletion(NOTHING, undefined, 72)).toEqual({ graceHours: 72, ...NOTHING, blockers: [] })
    expect(describeDeletion(NOTHING, newDeletion('user-1', 24, NOW), 24)).toMatchObject({
      requestedAt: '2026-01-01T00:00:00.000Z',
      dueAt: '2026-01-02T00:00:00.000Z',
    })
  })
})

describe(deletionBlocked, () => {
  it('lists every reason', () => {
    expect(deletionBlocked(['One.', 'Two.'])).toMatchObject({
      status: 409,
      code: 'DeletionBlocked',
      detail: 'One. Two.',
      errors: [
        { path: 'account', message: 'One.' },
        { path: 'account', message: 'Two.' },
      ],
    })
  })
})

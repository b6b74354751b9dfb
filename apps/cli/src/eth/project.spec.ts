import { selectProject } from './project.js'

const [demo, mine, other] = [
  { id: 'aa11', name: 'Demo' },
  { id: 'ab22', name: 'mine' },
  { id: 'ab33', name: 'mine' },
] as const

describe(selectProject, () => {
  it('is the only one where nothing is said, and else the one with that name or beginning', () => {
    expect([selectProject([demo]), selectProject([demo, mine], 'mine'), selectProject([demo, mine, other], 'ab3')]).toEqual([
      demo,
      mine,
      other,
    ])
  })

  it.each([
    [[], undefined, 5, 'You have no project.'],
    [[demo], 'x', 5, 'You have no project "x".'],
    [[demo, mine], undefined, 2, 'Several projects match.'],
    [[demo, mine, other], 'mine', 2, 'Several projects match.'],
  ])('of %j by %j ends with %i', (projects, wanted, exit, message) => {
    expect(() => selectProject(projects, wanted)).toThrow(expect.objectContaining({ exit, message }))
  })
})

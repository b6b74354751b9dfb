import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { hasName, limitOf, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'

describe(projectBody, () => {
  it('leaves limits that are empty to the platform', () => {
    const { limits } = projectBody({ ...projectForm(), perSecond: 7 })
    expect(limits).toEqual({ perSecond: 7 })
  })

  it('sends lists as a whole, also empty ones, and the name without spaces around', () => {
    expect(projectBody({ ...projectForm(), name: ' mine ', allowedIps: ['10.0.0.1'] })).toEqual({
      name: 'mine',
      requireToken: false,
      failureSamples: true,
      allowedOrigins: [],
      allowedIps: ['10.0.0.1'],
      allowedMethods: [],
      allowedContracts: [],
      limits: {},
      quorum: null,
    })
  })

  it('has a quorum once a number of nodes is given', () => {
    const { quorum } = projectBody({ ...projectForm(), agreeing: 2, nodes: 3 })
    expect(quorum).toEqual({ agreeing: 2, nodes: 3, methods: ['eth_*'], byHeader: false })
    expect(projectBody({ ...projectForm(), nodes: 3 }).quorum).toMatchObject({ agreeing: 0, nodes: 3 })
  })
})

describe(projectMistakes, () => {
  it('gives each field its message, and names the entry of a list', () => {
    const errors = [
      { path: 'body.name', message: 'too short' },
      { path: 'body.allowedOrigins.1', message: 'must be an origin' },
      { path: 'body.allowedIps[0]', message: 'must be an address' },
      { path: 'body.allowedMethods', message: '"eth_foo" is no method' },
      { path: 'body.limits.perSecond', message: 'may be at most 5' },
      { path: 'body.quorum.nodes', message: 'must not be more than 3' },
      { path: 'body.quorum.methods[0]', message: 'must be a method' },
    ]
    const draft = { ...projectForm(), allowedOrigins: ['https://a.example', 'x'], allowedIps: ['y'], methods: ['z'] }
    expect(projectMistakes(draft, new Problem('invalid', 'InvalidInput', '', { errors }))).toEqual({
      name: 'too short',
      allowedOrigins: 'x: must be an origin',
      allowedIps: 'y: must be an address',
      allowedMethods: '"eth_foo" is no method',
      perSecond: 'may be at most 5',
      nodes: 'must not be more than 3',
      methods: 'z: must be a method',
    })
  })

  it('gives no field a message for a failure', () => {
    expect(projectMistakes(projectForm(), new Error('away'))).toEqual({})
  })
})

describe(reduceProject, () => {
  const project = partial<Project>({
    name: 'mine',
    requireToken: true,
    failureSamples: false,
    limits: { perSecond: 5, perDay: 100 },
    allowedOrigins: ['https://a.example'],
    allowedIps: [],
    allowedMethods: ['eth_get*'],
    allowedContracts: [],
  })

  it('sends an unchanged project back as it came', () => {
    expect(projectBody(projectForm(project))).toEqual({ ...project, quorum: null })
    const quorum = { agreeing: 2, nodes: 3, methods: [], byHeader: true }
    expect(projectBody(projectForm({ ...project, quorum }))).toEqual({ ...project, quorum })
  })

  it('has no quorum any more once both numbers are emptied', () => {
    const quorum = { agreeing: 2, nodes: 3, methods: [], byHeader: true }
    expect(projectBody({ ...projectForm({ ...project, quorum }), agreeing: '', nodes: '' }).quorum).toBeNull()
  })

  it('changes one list and keeps the others', () => {
    const form = reduceProject(projectForm(project), { type: 'changed', field: 'allowedIps', value: ['192.0.2.1'] })
    expect(projectBody(form)).toEqual({ ...project, quorum: null, allowedIps: ['192.0.2.1'] })
  })

  it('shows what was saved', () => {
    const typed = reduceProject(projectForm(), { type: 'changed', field: 'name', value: ' mine ' })
    expect(reduceProject(typed, { type: 'saved', project: project! })).toEqual(projectForm(project))
  })

  it('returns to the default when a limit is emptied', () => {
    const form = reduceProject(projectForm(project), { type: 'changed', field: 'perDay', value: '' })
    expect(projectBody(form).limits).toEqual({ perSecond: 5 })
  })
})

describe(limitOf, () => {
  it.each([
    [7, 7],
    ['', ''],
    ['-', ''],
  ])('takes %j as %j', (value, expected) => {
    expect(limitOf(value)).toBe(expected)
  })
})

describe(hasName, () => {
  it.each([
    ['', false],
    ['  ', false],
    [' a ', true],
  ])('of %j is %s', (name, expected) => {
    expect(hasName({ ...projectForm(), name })).toBe(expected)
  })
})

import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { hasName, limitOf, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'

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

describe(projectBody, () => {
  it('leaves limits that are empty to the platform', () => {
    const { limits } = projectBody({ ...projectForm(), perSecond: 7 })
    expect(limits).toEqual({ perSecond: 7 })
  })

  it('has limits of calls once they are given, and removes those that the project has no more', () => {
    const form = { ...projectForm(), perAddress: 20, perSender: 3, methodLimits: ['eth_getLogs=5'] } as const
    const limits = { perAddress: 20, perSender: 3, methods: [{ method: 'eth_getLogs', perSecond: 5 }] }
    expect(projectBody(form).limits).toEqual(limits)
    const before = partial<Project>({ limits: { perSecond: 1, perDay: 1, ...limits } })
    expect(projectBody(projectForm(), before).limits).toEqual({ perAddress: null, perSender: null, methods: [] })
  })

  it('sends the namespaces that are chosen, once they differ from those of the project', () => {
    expect(projectBody({ ...projectForm(), namespaces: ['trace', 'debug'] }).namespaces).toEqual(['debug', 'trace'])
    expect(projectBody(projectForm())).not.toHaveProperty('namespaces')
    const before = { ...project, namespaces: ['debug', 'trace'] }
    expect(projectBody({ ...projectForm(before), namespaces: ['trace', 'debug'] }, before)).not.toHaveProperty('namespaces')
    expect(projectBody({ ...projectForm(before), namespaces: [] }, before).namespaces).toEqual([])
  })

  it('has an identity provider once a field of it is given, and none any more once all are emptied', () => {
    const tokens = { jwksUrl: 'https://id.example/keys', issuer: 'https://id.example', audience: 'app' }
    expect(projectBody({ ...projectForm(), ...tokens, perCaller: 5 })).toMatchObject({ tokens, limits: { perCaller: 5 } })
    expect(projectBody({ ...projectForm(), issuer: ' x ' }).tokens).toEqual({ jwksUrl: '', issuer: 'x', audience: '' })
    expect(projectBody(projectForm())).not.toHaveProperty('tokens')
    const before = partial<Project>({ tokens, limits: { perSecond: 1, perDay: 1, perCaller: 5 } })
    expect(projectBody(projectForm(), before)).toMatchObject({ tokens: null, limits: { perCaller: null } })
    expect(projectBody(projectForm({ ...project, tokens })).tokens).toEqual(tokens)
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
      { path: 'body.limits.perAddress', message: 'must be an integer' },
      { path: 'body.limits.methods[0].perSecond', message: 'must be a number' },
      { path: 'body.tokens.jwksUrl', message: 'must be an https URL' },
      { path: 'body.quorum.nodes', message: 'must not be more than 3' },
      { path: 'body.quorum.methods[0]', message: 'must be a method' },
    ]
    const draft = {
      ...projectForm(),
      allowedOrigins: ['https://a.example', 'x'],
      allowedIps: ['y'],
      methods: ['z'],
      methodLimits: ['eth_call'],
    }
    expect(projectMistakes(draft, new Problem('invalid', 'InvalidInput', '', { errors }))).toEqual({
      name: 'too short',
      allowedOrigins: 'x: must be an origin',
      allowedIps: 'y: must be an address',
      allowedMethods: '"eth_foo" is no method',
      perSecond: 'may be at most 5',
      perAddress: 'must be an integer',
      methodLimits: 'eth_call: must be a number',
      jwksUrl: 'must be an https URL',
      nodes: 'must not be more than 3',
      methods: 'z: must be a method',
    })
  })

  it('gives no field a message for a failure', () => {
    expect(projectMistakes(projectForm(), new Error('away'))).toEqual({})
  })
})

describe(reduceProject, () => {
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

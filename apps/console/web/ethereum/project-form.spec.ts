import { Problem } from '@trestle/problem/problem'
import { projectBody, projectForm, projectMistakes } from './project-form.js'

describe(projectBody, () => {
  it('leaves limits that are empty to the platform', () => {
    const { limits } = projectBody({ ...projectForm(), perSecond: 7 })
    expect(limits).toEqual({ perSecond: 7 })
  })

  it('sends lists as a whole, also empty ones, and the name without spaces around', () => {
    expect(projectBody({ ...projectForm(), name: ' mine ', allowedIps: ['10.0.0.1'] })).toEqual({
      name: 'mine',
      requireToken: false,
      allowedOrigins: [],
      allowedIps: ['10.0.0.1'],
      allowedMethods: [],
      allowedContracts: [],
      limits: {},
    })
  })
})

describe(projectMistakes, () => {
  it('tells each field what is wrong with it, and of a list with which entry', () => {
    const errors = [
      { path: 'body.name', message: 'too short' },
      { path: 'body.allowedOrigins.1', message: 'must be an origin' },
      { path: 'body.allowedMethods', message: '"eth_foo" is no method' },
      { path: 'body.limits.perSecond', message: 'may be at most 5' },
    ]
    const draft = { ...projectForm(), allowedOrigins: ['https://a.example', 'x'] }
    expect(projectMistakes(draft, new Problem('invalid', 'InvalidInput', '', { errors }))).toEqual({
      name: 'too short',
      allowedOrigins: 'x: must be an origin',
      allowedMethods: '"eth_foo" is no method',
      perSecond: 'may be at most 5',
    })
  })

  it('tells no field of a failure', () => {
    expect(projectMistakes(projectForm(), new Error('away'))).toEqual({})
  })
})

import { Problem } from '@trestle/problem/problem'
import { bodyOf, draftOf, mistakesIn } from './project-form.js'

describe(bodyOf, () => {
  it('leaves limits that are empty to the platform', () => {
    const { limits } = bodyOf({ ...draftOf(), perSecond: 7 })
    expect(limits).toEqual({ perSecond: 7 })
  })

  it('sends lists as a whole, also empty ones, and the name without spaces around', () => {
    expect(bodyOf({ ...draftOf(), name: ' mine ', allowedIps: ['10.0.0.1'] })).toEqual({
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

describe(mistakesIn, () => {
  it('tells each field what is wrong with it, and of a list with which entry', () => {
    const errors = [
      { path: 'body.name', message: 'too short' },
      { path: 'body.allowedOrigins.1', message: 'must be an origin' },
      { path: 'body.allowedMethods', message: '"eth_foo" is no method' },
      { path: 'body.limits.perSecond', message: 'may be at most 5' },
    ]
    const draft = { ...draftOf(), allowedOrigins: ['https://a.example', 'x'] }
    expect(mistakesIn(draft, new Problem('invalid', 'InvalidInput', '', { errors }))).toEqual({
      name: 'too short',
      allowedOrigins: 'x: must be an origin',
      allowedMethods: '"eth_foo" is no method',
      perSecond: 'may be at most 5',
    })
  })

  it('tells no field of a failure', () => {
    expect(mistakesIn(draftOf(), new Error('away'))).toEqual({})
  })
})

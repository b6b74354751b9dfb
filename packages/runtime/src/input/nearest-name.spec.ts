import { nearestName } from './nearest-name.js'

const NAMES = ['from', 'to', 'scopes', 'expiresAt', 'allowedIps', 'requireToken', 'withdrawalAddress']

describe(nearestName, () => {
  it.each([
    ['scope', 'scopes'],
    ['form', 'from'],
    ['ot', 'to'],
    ['expires', 'expiresAt'],
    ['requiretoken', 'requireToken'],
    ['allowed_ips', 'allowedIps'],
    ['allowed-ips', 'allowedIps'],
    ['allowedIpsx', 'allowedIps'],
    ['withdrawlAdress', 'withdrawalAddress'],
  ])('of %s is %s', (typed, meant) => {
    expect(nearestName(typed, NAMES)).toBe(meant)
  })

  it.each(['', 'colour', 'x', 'e', 'limit', 'x'.repeat(10_000)])('of %j is none', (typed) => {
    expect(nearestName(typed, NAMES)).toBeUndefined()
  })
})

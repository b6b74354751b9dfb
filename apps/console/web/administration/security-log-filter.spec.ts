import type { SecurityEvent } from '@trestle/contracts/security-event'
import { partial } from '../testing/partial.js'
import { actOf, actorOf, NO_SECURITY_FILTER, securityLogQuery } from './security-log-filter.js'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

describe(securityLogQuery, () => {
  it.each([
    [{}, {}],
    [{ who: ' user-1 ' }, { user: 'user-1' }],
    [{ who: 'ada@example.org' }, { email: 'ada@example.org' }],
    [
      { kind: 'sign-in', outcome: 'failure' },
      { kind: 'sign-in', outcome: 'failure' },
    ],
  ] as const)('asks with %j for %j', (filter, expected) => {
    expect(securityLogQuery({ ...NO_SECURITY_FILTER, ...filter }, NOW)).toEqual({ from: '2026-11-20T12:00:00.000Z', ...expected })
  })
})

describe(actorOf, () => {
  it('names the user and the client key, or the beginning of the hash of what was tried', () => {
    expect(actorOf(partial<SecurityEvent>({ user: 'user-1', clientKey: 'client-1', attempted: 'x' }))).toBe('user-1 client-1')
    expect(actorOf(partial<SecurityEvent>({ attempted: '0123456789abcdef' }))).toBe('0123456789ab')
    expect(actorOf(partial<SecurityEvent>({}))).toBe('')
  })
})

describe(actOf, () => {
  it('names the service, the route and what was acted on', () => {
    const event = partial<SecurityEvent>({ service: 'accounts', method: 'POST', route: '/users/{id}/disable', target: { id: 'user-1' } })
    expect(actOf(event)).toBe('accounts POST /users/{id}/disable id=user-1')
  })
})

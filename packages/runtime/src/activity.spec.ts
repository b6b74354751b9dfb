import type { Caller } from '@trestle/contracts/caller'
import { type Access, can, canInPath } from '@trestle/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { activityOf, redacted } from './activity.js'

const CHOSEN = 'org-11111111-1111-4111-8111-111111111111'
const IN_PATH = 'org-22222222-2222-4222-8222-222222222222'

describe(activityOf, () => {
  const organizationOf = (access: Access, status: number) => {
    const endpoint = { method: 'POST', path: '/x', summary: '', status: 200, access }
    const request = { routeOptions: { config: { endpoint } }, params: { id: IN_PATH } } as unknown as FastifyRequest
    const caller = { userId: 'user-1', organizationId: CHOSEN } as Caller
    return activityOf({ request: { ...request, startedAt: 0 } as FastifyRequest, caller, status, service: 'test', now: new Date() })
      .organization
  }

  it.each([
    ['what needs a permission in the chosen organization, also where it is refused', can('nodes:read'), 403, CHOSEN],
    ['what was done in the organization of the path', canInPath('members:write'), 200, IN_PATH],
    ['nothing of an organization in the path that refuses it: it may be any', canInPath('members:write'), 404, undefined],
    ['nothing that callers do for themselves, whatever they chose', 'account', 200, undefined],
    ['nothing that administrators do', 'manager', 200, undefined],
  ] as const)('is in the name of the organization: %s', (_title, access, status, expected) => {
    expect(organizationOf(access, status)).toBe(expected)
  })
})

describe(redacted, () => {
  it.each(['token', 'refresh_token', 'password', 'clientSecret', 'signature', 'rawtx', 'Authorization', 'code'])('hides %s', (name) => {
    expect(redacted({ [name]: 'x' })).toEqual({ [name]: '[redacted]' })
  })

  it('keeps the end of a project id only', () => {
    expect(redacted({ projectId: '0123456789abcdef0123456789abcdef' })).toEqual({ projectId: '...cdef' })
  })

  it('keeps harmless values, as text', () => {
    expect(redacted({ id: 'a', limit: '5', addr: ['1', '2'] })).toEqual({ id: 'a', limit: '5', addr: ['1', '2'] })
  })

  it('shortens long values, never within a character', () => {
    const { addrs } = redacted({ addrs: `${'x'.repeat(255)}😀😀` })
    expect(addrs).toHaveLength(259)
    expect((addrs as string).isWellFormed()).toBe(true)
  })

  it('returns nothing without parameters', () => {
    expect(redacted(undefined)).toEqual({})
    expect(redacted(null)).toEqual({})
  })
})

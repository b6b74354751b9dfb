import type { Caller } from '@trestle/contracts/caller'
import { requireFreshFactor, requiresFactor, STEP_UP_MAX_AGE_SECONDS } from './step-up.js'

const NOW = new Date('2026-11-23T12:00:00.000Z')
const seconds = NOW.getTime() / 1000
const caller = (more: Partial<Caller> = {}): Caller => ({
  kind: 'account',
  userId: 'user-1',
  organizationId: 'org-1',
  permissions: new Set(),
  areas: [],
  expiresAt: seconds + 3600,
  ...more,
})

describe(requireFreshFactor, () => {
  it('lets pass who has no factor, and programs', () => {
    for (const each of [caller(), caller({ kind: 'client', clientId: 'client-1' })]) {
      expect(requiresFactor(each)).toBe(false)
      expect(() => requireFreshFactor(each, NOW)).not.toThrow()
    }
  })

  it.each([0, 1, STEP_UP_MAX_AGE_SECONDS])('lets pass who has proven a factor %i s ago', (age) => {
    expect(() => requireFreshFactor(caller({ factorProvenAt: seconds - age }), NOW)).not.toThrow()
  })

  it('asks whose proof is older, as RFC 9470 says', () => {
    const old = caller({ factorProvenAt: seconds - STEP_UP_MAX_AGE_SECONDS - 1 })
    expect(() => requireFreshFactor(old, NOW)).toThrow(
      expect.objectContaining({
        status: 401,
        code: 'StepUpRequired',
        headers: {
          'www-authenticate':
            'Bearer realm="trestle", error="insufficient_user_authentication", error_description="A fresh proof of a second factor is required", max_age="600"',
        },
      }),
    )
  })
})

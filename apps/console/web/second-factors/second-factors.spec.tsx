import { Problem } from '@trestle/problem/problem'
import { PROVIDERS } from '../accounts/provider-buttons.js'
import { SecondFactorsSection } from '../settings/second-factors.js'
import { rendered } from '../testing/rendered.js'
import { FactorForm } from './factor-form.js'
import { OwnerForm } from './owner-form.js'
import { QrCode } from './qr-code.js'
import { RecoveryCodes } from './recovery-codes.js'
import SecondStep from './second-step.js'
import { Question, STEP_UP } from './step-up-dialog.js'
import { SECOND_FACTORS } from './use-factors.js'
import { IDENTITIES } from './use-identities.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const challenge = (...methods: ('totp' | 'passkey' | 'recovery-code')[]) => ({ challenge: 'c1', expiresAt: SINCE, methods })

describe(SecondFactorsSection, () => {
  const section = (factors: object[], recoveryCodes: number) =>
    rendered(<SecondFactorsSection />, { answers: [[SECOND_FACTORS, { factors, recoveryCodes }]] })

  it('offers to add the first, and says what it is good for', () => {
    const page = section([], 0)
    expect(page.text).toContain('You have no second factor yet.')
    expect(page.isEnabled('Add an authenticator app')).toBe(true)
    expect(page.isEnabled('New recovery codes')).toBeUndefined()
  })

  it('lists them, with their last use and what is left of the recovery codes', () => {
    const page = section(
      [
        { id: 'factor-1', kind: 'totp', name: 'Authenticator app', createdAt: SINCE },
        { id: 'factor-2', kind: 'passkey', name: 'Laptop', createdAt: SINCE, usedAt: '2020-01-01T00:00:00.000Z' },
      ],
      1,
    )
    expect(page.rows.slice(1).map((row) => row.slice(0, 2))).toEqual([
      ['Authenticator app', 'Authenticator app'],
      ['Laptop', 'Passkey'],
    ])
    expect(page.rows[2]?.[3]).toContain('years ago')
    expect(page.text).toContain('1 recovery code left.')
    expect(page.all('button').filter((name) => name === 'Remove')).toHaveLength(2)
    expect(page.isEnabled('Replace the authenticator app')).toBe(true)
  })
})

describe(FactorForm, () => {
  it('asks for a code, and lets the browser fill it in', () => {
    const page = rendered(<FactorForm challenge={challenge('totp', 'recovery-code')} onProven={() => undefined} />)
    expect(page.input('Code')).toContain('autoComplete="one-time-code"')
    expect(page.text).toContain('Of your authenticator app, or a recovery code.')
    expect(page.isEnabled('Use a passkey')).toBeUndefined()
  })

  it('offers the passkey where the user has one, and a recovery code beside it', () => {
    const page = rendered(<FactorForm challenge={challenge('passkey', 'recovery-code')} onProven={() => undefined} />)
    expect(page.isEnabled('Use a passkey')).toBe(true)
    expect(page.text).not.toContain('authenticator app')
  })
})

describe(SecondStep, () => {
  it('reads the challenge from the answer to the password', () => {
    expect(rendered(<SecondStep challenge={challenge('totp')} onProven={() => undefined} />).input('Code')).toBeDefined()
  })
})

describe(OwnerForm, () => {
  it('asks for the password before the first factor only', () => {
    const first = rendered(<OwnerForm isFirst onSubmit={async () => undefined} />)
    expect(first.input('Your password')).toContain('autoComplete="current-password"')
    expect(rendered(<OwnerForm isFirst={false} onSubmit={async () => undefined} />).input('Your password')).toBeUndefined()
  })

  it('asks nobody for a password who has none', () => {
    const answers = [[SECOND_FACTORS, { factors: [], recoveryCodes: 0, hasPassword: false }]] as const
    const page = rendered(<OwnerForm isFirst onSubmit={async () => undefined} />, { answers })
    expect(page.input('Your password')).toBeUndefined()
    expect(page.isEnabled('Continue')).toBe(true)
  })
})

describe('what demands a fresh proof', () => {
  it('asks for the second factor', () => {
    expect(rendered(<Question />, { answers: [[STEP_UP, challenge('totp')]] }).input('Code')).toBeDefined()
  })

  it('leads who has neither a factor nor a password to their identity provider', () => {
    const page = rendered(<Question />, {
      answers: [[PROVIDERS, [{ id: 'acme', title: 'Acme' }]]],
      failures: [[STEP_UP, new Problem('unknown', 'UnknownSecondFactor', 'You have no such second factor.')]],
    })
    expect(page.text).toContain('sign in again, and repeat this within ten minutes')
    expect([page.isEnabled('Sign in with Acme'), page.input('Code')]).toEqual([true, undefined])
  })

  it('leads to the providers that know the user, and to no other', () => {
    const providers = [
      { id: 'acme', title: 'Acme' },
      { id: 'other', title: 'Other' },
    ]
    const page = rendered(<Question />, {
      answers: [
        [PROVIDERS, providers],
        [IDENTITIES, [{ id: 'identity-1', provider: 'acme' }]],
      ],
      failures: [[STEP_UP, new Problem('unknown', 'UnknownSecondFactor', 'You have no such second factor.')]],
    })
    expect([page.isEnabled('Sign in with Acme'), page.isEnabled('Sign in with Other')]).toEqual([true, undefined])
  })
})

describe(RecoveryCodes, () => {
  it('shows each, and that they are not shown again', () => {
    const page = rendered(<RecoveryCodes codes={['aaaa-bbbb', 'cccc-dddd']} onDone={() => undefined} />)
    expect(page.all('li')).toEqual(['aaaa-bbbb', 'cccc-dddd'])
    expect(page.text).toContain('They are not shown again')
  })
})

describe(QrCode, () => {
  it('is a picture with a name, dark on white in both colour schemes', () => {
    const { html } = rendered(<QrCode text="otpauth://totp/x" label="QR code" />)
    expect(html).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR code"/)
    expect(html).toContain('fill="#fff"')
    expect(html.match(/M\d+ \d+h1v1h-1z/g)?.length).toBeGreaterThan(100)
  })
})

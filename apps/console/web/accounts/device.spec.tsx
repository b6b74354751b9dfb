import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import DevicePage, { deviceKey } from './device.js'

const LOGIN = {
  userCode: 'BCDF-GHJK',
  ip: '192.0.2.7',
  userAgent: 'trestle/1.0',
  createdAt: '2026-11-23T12:00:00.000Z',
  expiresAt: '2026-11-23T12:10:00.000Z',
}

describe(DevicePage, () => {
  it('asks for the code where the link has none', () => {
    const page = rendered(<DevicePage />)
    expect(page.input('Code')).toContain('autoComplete="off"')
    expect(page.isEnabled('Sign it in')).toBeUndefined()
  })

  it('shows who asks, warns, and leaves the decision to the user', () => {
    const page = rendered(<DevicePage />, { at: '/?code=BCDF-GHJK', answers: [[deviceKey('BCDF-GHJK'), LOGIN]] })
    for (const fact of ['BCDF-GHJK', '192.0.2.7', 'trestle/1.0']) expect(page.text).toContain(fact)
    expect(page.text).toContain('Continue only if you have just run')
    expect([page.isEnabled('Sign it in'), page.isEnabled('Refuse')]).toEqual([true, true])
  })

  it('offers nothing for a code that no device shows', () => {
    const failures = [[deviceKey('X'), new Problem('unknown', 'UnknownDeviceLogin', 'No device waits with this code.')]] as const
    const page = rendered(<DevicePage />, { at: '/?code=X', failures })
    expect(page.text).toContain('No device waits with this code.')
    expect(page.isEnabled('Sign it in')).toBeUndefined()
  })
})

import { canSaveProjectKey, isLifetime, newProjectKeyBody, projectKeyChange, projectKeyForm } from './project-key-form.js'

const NOW = new Date('2026-11-21T12:00:00.000Z')

it.each([
  ['never', undefined],
  ['30', '2026-12-21T12:00:00.000Z'],
  ['365', '2027-11-21T12:00:00.000Z'],
] as const)('creates a key that is valid for %s', (lifetime, expiresAt) => {
  expect(newProjectKeyBody({ name: ' ios ', lifetime }, NOW)).toEqual({ name: 'ios', expiresAt })
})

it('keeps the expiry of a key unless another is chosen', () => {
  const form = projectKeyForm({ name: 'ios' })
  expect(projectKeyChange(form, NOW)).toEqual({ name: 'ios' })
  expect(projectKeyChange({ ...form, lifetime: 'never' }, NOW)).toEqual({ name: 'ios', expiresAt: null })
  expect(projectKeyChange({ ...form, lifetime: '90' }, NOW)).toEqual({ name: 'ios', expiresAt: '2027-02-19T12:00:00.000Z' })
})

it('needs a name', () => {
  expect([canSaveProjectKey(projectKeyForm({ name: ' ' })), canSaveProjectKey(projectKeyForm({ name: 'a' }))]).toEqual([false, true])
})

it('knows its lifetimes', () => {
  expect([isLifetime('30'), isLifetime('keep'), isLifetime('31'), isLifetime(null)]).toEqual([true, true, false, false])
})

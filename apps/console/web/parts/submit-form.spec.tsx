import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { SubmitForm } from './submit-form.js'

describe(SubmitForm, () => {
  const idle = { mutate: () => undefined, isPending: false }
  const form = (given: { problem?: unknown; disabled?: boolean; isPending?: boolean } = {}) =>
    rendered(
      <SubmitForm
        action="Save"
        submission={{ ...idle, isPending: given.isPending === true }}
        problem={given.problem}
        disabled={given.disabled}
      >
        <p>Fields</p>
      </SubmitForm>,
    )

  it('is sent by its one button', () => {
    const page = form()
    expect(page.text).toBe('Fields Save')
    expect(page.isEnabled('Save')).toBe(true)
    expect(page.has(/<form[^>]*>.*<button[^>]*type="submit".*<\/form>/s)).toBe(true)
  })

  it('cannot be sent twice, nor before it is complete', () => {
    expect(form({ isPending: true }).isEnabled('Save')).toBe(false)
    expect(form({ disabled: true }).isEnabled('Save')).toBe(false)
  })

  it('shows why it was refused', () => {
    expect(form().has('role="alert"')).toBe(false)
    expect(form({ problem: new Problem('unavailable', 'Away', 'The service is away.') }).text).toContain('The service is away.')
  })
})

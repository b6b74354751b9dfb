import { PlanChange } from '@trestle/contracts/nodes/plans'
import { changeField } from '../parts/form.js'
import { canSetQuota, MAX_QUOTA, quotaBody, quotaForm } from './quota-form.js'

const NOW = new Date('2026-03-01T12:00:00Z')
const FILLED = { nodes: 5, clusters: 2, until: '2026-12-31' }

describe(canSetQuota, () => {
  it.each([
    [{}, true],
    [{ nodes: 0, clusters: 0 }, true],
    [{ nodes: MAX_QUOTA }, true],
    [{ nodes: MAX_QUOTA + 1 }, false],
    [{ nodes: -1 }, false],
    [{ nodes: 1.5 }, false],
    [{ nodes: '' }, false],
    [{ clusters: '-' }, false],
    [{ until: '' }, false],
  ])('with %j is %s', (change, expected) => {
    expect(canSetQuota({ ...FILLED, ...change })).toBe(expected)
  })
})

describe(quotaBody, () => {
  it('is a change that the contract accepts, to the end of the last day', () => {
    const body = quotaBody(FILLED, NOW)
    expect(PlanChange.parse(body)).toMatchObject({ nodes: 5, clusters: 2 })
    expect(new Date(body.expiresAt).getMilliseconds()).toBe(999)
  })

  it('takes numbers that the field still holds as text', () => {
    expect(quotaBody({ ...FILLED, nodes: '7' }, NOW).nodes).toBe(7)
  })
})

describe(quotaForm, () => {
  it('begins with the quota as it is, and asks for a date', () => {
    const form = quotaForm({ nodes: 5, clusters: 2 })
    expect([form, canSetQuota(form)]).toEqual([{ nodes: 5, clusters: 2, until: '' }, false])
    expect(canSetQuota(changeField(form, { type: 'changed', field: 'until', value: '2026-12-31' }))).toBe(true)
  })
})

import { projects } from '@trestle/contracts/eth-rpc/projects'
import { GRACES, HOUR_OF_GRACE, reduceRotation, rotationBody } from './rotation-form.js'

describe(reduceRotation, () => {
  it('keeps the former URL for an hour unless another time is chosen', () => {
    expect(rotationBody(HOUR_OF_GRACE)).toEqual({ graceSeconds: 3600 })
    expect(rotationBody(reduceRotation(HOUR_OF_GRACE, { value: '0' }))).toEqual({ graceSeconds: 0 })
  })

  it('keeps its choice where another is not offered', () => {
    for (const value of [null, '', '60']) expect(reduceRotation(HOUR_OF_GRACE, { value })).toEqual(HOUR_OF_GRACE)
  })
})

describe(rotationBody, () => {
  it.each(GRACES)('is a body that the contract accepts after %s s', (grace) => {
    expect(projects.rotate.body.safeParse(rotationBody({ grace })).success).toBe(true)
  })
})

import { isMissed } from './duties.js'

describe(isMissed, () => {
  it.each([
    ['a correct, timely attestation', 3000n, 6000n, false],
    ['a correct one during an inactivity leak, which earns nothing', 0n, 0n, false],
    ['a late one', -3000n, 6000n, false],
    ['one with a wrong target', 3000n, -6000n, false],
    ['a missing one', -3000n, -6000n, true],
  ])('classifies %s', (_, sourceGwei, targetGwei, missed) => {
    expect(isMissed({ sourceGwei, targetGwei })).toBe(missed)
  })
})

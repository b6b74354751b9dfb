import { isMissed } from './duties.js'

describe(isMissed, () => {
  it.each([
    ['one that is right and in time', 3000n, 6000n, false],
    ['one that is right while the chain is not final, which earns nothing', 0n, 0n, false],
    ['one that came late', -3000n, 6000n, false],
    ['one of a wrong target', 3000n, -6000n, false],
    ['none', -3000n, -6000n, true],
  ])('classifies %s', (_, sourceGwei, targetGwei, missed) => {
    expect(isMissed({ sourceGwei, targetGwei })).toBe(missed)
  })
})

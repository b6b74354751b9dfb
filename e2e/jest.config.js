import preset from '@trestle/tooling/jest-preset'

// Whole platforms start and are killed in these.
export default preset('e2e', { testTimeout: 120_000, maxWorkers: 2 })

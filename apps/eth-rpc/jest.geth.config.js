import preset from '@trestle/tooling/jest-preset'

// npm run test:geth: needs a geth, so npm test leaves it out.
export default preset('geth', { testMatch: ['<rootDir>/test/geth/*.geth.ts'], testTimeout: 300_000 })

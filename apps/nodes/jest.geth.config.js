import preset from '@trestle/tooling/jest-preset'

// npm run test:geth: needs a geth, so npm test leaves it out.
export default preset('geth-nodes', { testMatch: ['<rootDir>/test/geth/*.geth.ts'], testTimeout: 300_000 })

import preset from '@trestle/tooling/jest-preset'

// Tests wait for events, not for times; the limit only ends one that hangs, also on a machine that is busy with other things.
export default preset('accounts', { testTimeout: 60_000, maxWorkers: 2 })

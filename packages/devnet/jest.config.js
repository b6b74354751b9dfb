import preset from '@trestle/tooling/jest-preset'

// Lodestar reads it when it is loaded; the workers of Jest inherit it.
process.env.LODESTAR_PRESET = 'minimal'

export default preset('devnet')

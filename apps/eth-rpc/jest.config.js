import preset from '@trestle/tooling/jest-preset'

export default preset('eth-rpc')

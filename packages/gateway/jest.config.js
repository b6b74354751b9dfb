import preset from '@trestle/tooling/jest-preset'

export default preset('gateway')

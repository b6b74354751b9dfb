import preset from '@trestle/tooling/jest-preset'

export default preset('e2e')

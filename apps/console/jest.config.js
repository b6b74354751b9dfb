import preset from '@trestle/tooling/jest-preset'

export default preset('console', { testMatch: ['<rootDir>/{src,test,web}/**/*.spec.ts'] })

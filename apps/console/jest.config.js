import preset from '@trestle/tooling/jest-preset'

const { transform, ...shared } = preset('console')
const [[, [swc, options]]] = Object.entries(transform)
const jsx = {
  jsc: {
    ...options.jsc,
    parser: { ...options.jsc?.parser, syntax: 'typescript', tsx: true },
    transform: { ...options.jsc?.transform, react: { runtime: 'automatic' } },
  },
}

export default {
  ...shared,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['<rootDir>/{src,test,web}/**/*.spec.{ts,tsx}'],
  moduleNameMapper: { ...shared.moduleNameMapper, '\\.css$': '<rootDir>/test/no-styles.js' },
  // Components are rendered by react-dom/server: no DOM is needed.
  transform: { ...transform, '^.+\\.tsx$': [swc, { ...options, ...jsx }] },
}

import preset from '@trestle/tooling/jest-preset'

export default {
  testTimeout: 120_000,
  maxWorkers: 3,
  forceExit: true,
  projects: [
    // Whole platforms start and are killed in these.
    project('e2e', 'test/*.e2e.spec.ts'),
    {
      ...project('stories', 'test/stories/*.e2e.spec.ts'),
      globalSetup: '<rootDir>/start-platform.mjs',
      globalTeardown: '<rootDir>/stop-platform.mjs',
    },
  ],
}

/** What jest takes of the preset only at the root stands there. Projects of one run need ids of their own. */
function project(name, tests) {
  const { forceExit, maxWorkers, testTimeout, ...own } = preset(name)
  return { ...own, id: name, testMatch: [`<rootDir>/${tests}`] }
}

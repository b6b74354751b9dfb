import { fileURLToPath } from 'node:url'
import { swc } from './swc.js'

/** The jest configuration of one workspace package: ESM, TypeScript by swc, other packages read from their sources. */
export default function preset(name, overrides = {}) {
  return {
    displayName: name,
    // Packages with the same id share what jest keeps of compiled files.
    id: 'trestle',
    testEnvironment: fileURLToPath(new URL('jest-environment.js', import.meta.url)),
    testEnvironmentOptions: { customExportConditions: ['ws-source', 'node', 'node-addons'] },
    extensionsToTreatAsEsm: ['.ts'],
    testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    transform: { '^.+\\.ts$': [fileURLToPath(new URL('jest-transform.js', import.meta.url)), { sourceMaps: 'inline', ...swc }] },
    clearMocks: true,
    maxWorkers: 2,
    // Real servers start and stop in these, on machines that do other things too. Speed is asserted nowhere: the limit ends what hangs.
    testTimeout: 60_000,
    // A test that fails may leave a server open; the run ends all the same.
    forceExit: true,
    ...overrides,
  }
}

import { readFileSync } from 'node:fs'
import { versionOf } from './package-version.js'

describe(versionOf, () => {
  it('is the version in the nearest package.json above', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(versionOf(import.meta.url)).toBe(version)
  })
})

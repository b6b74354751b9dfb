import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** The version of the package that a module is in; an app says `versionOf(import.meta.url)` of itself. */
export function versionOf(moduleUrl: string): string {
  const manifest = findPackageJSON(moduleUrl)
  if (manifest === undefined) throw new Error(`There is no package.json above ${moduleUrl}.`)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return version
}

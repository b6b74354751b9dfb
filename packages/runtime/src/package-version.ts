import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** The version of the package that contains a module: `versionOf(import.meta.url)`. */
export function versionOf(moduleUrl: string): string {
  const manifest = findPackageJSON(moduleUrl)
  if (manifest === undefined) throw new Error(`No package.json above ${moduleUrl}.`)
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

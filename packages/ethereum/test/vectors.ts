import { readFileSync } from 'node:fs'

/** A file of test/vectors; its README names where each comes from. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

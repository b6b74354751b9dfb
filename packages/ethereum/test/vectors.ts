import { readFileSync } from 'node:fs'
import { parseHex } from '../src/hex.js'

/** A file of test/vectors; its README names where each comes from. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

export function bytes(hex: string): Buffer {
  return parseHex(hex)
}

#!/usr/bin/env node
// Makes the dist/ of a package from its src/. Types are not looked at here: `npm run check` does that, for all packages at once.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { transformFile } from '@swc/core'
import { swc } from './swc.js'

rmSync('dist', { recursive: true, force: true })
await Promise.all(globSync('src/**/*.ts', { exclude: ['**/*.spec.ts'] }).map(emit))

async function emit(source) {
  const target = source.replace(/^src/, 'dist').replace(/\.ts$/, '.js')
  const sourceFileName = relative(dirname(target), source)
  const { code, map } = await transformFile(source, { ...swc, swcrc: false, sourceMaps: true, sourceFileName })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`)
  writeFileSync(`${target}.map`, map)
}

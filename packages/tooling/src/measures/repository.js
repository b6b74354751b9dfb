import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSource } from './syntax.js'

/** Every TypeScript file of the repository, tests included, by its path from the root; what is generated is left out. */
export function readRepository(root) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => path && !path.includes('/generated/') && existsSync(join(root, path)))
  return new Map(paths.map((path) => [path, parseSource(path, readFileSync(join(root, path), 'utf8'))]))
}

export function isTest(path) {
  return /\.spec\.tsx?$|\/test\/|^packages\/testing\/|^e2e\/|^bench\//.test(path)
}

/** The file of the repository that an import leads to; undefined for what comes from npm. */
export function resolveImport(files, path, from) {
  const [, name, rest] = /^@trestle\/([\w-]+)\/(.+)$/.exec(from) ?? []
  const bases = from.startsWith('.') ? [posix.join(dirname(path), from)] : name ? placesOf(name, rest) : []
  for (const base of bases) {
    const stem = base.replace(/\.(js|ts|tsx)$/, '')
    const found = [base, `${stem}.ts`, `${stem}.tsx`].find((candidate) => files.has(candidate))
    if (found) return found
  }
}

// As the packages' `exports` say: `@trestle/x/y` is src/y, `@trestle/x/test/y` is test/y.
function placesOf(name, rest) {
  return ['packages', 'apps'].flatMap((folder) => [`${folder}/${name}/src/${rest}`, `${folder}/${name}/${rest}`])
}

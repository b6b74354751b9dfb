// What the suite against a real Kubernetes last passed with: a digest in the repository, so that CI need not run it again for nothing.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The driver, what its Role lets it do, the suite, and what it runs on.
export const TESTED = [
  'apps/nodes/src/drivers/driver.ts',
  'apps/nodes/src/drivers/kubernetes/!(*.spec).ts',
  'apps/nodes/test/drivers/driver-suite.ts',
  'apps/nodes/test/kubernetes/*.ts',
  'deploy/kubernetes/machines/*.yaml',
  'tools/kubernetes/{control-plane,programs}.mjs',
]
const FILE = 'apps/nodes/test/kubernetes/passed.sha256'

/** Of the names and contents of all files of these patterns, in whatever order they are found. */
export function digestOf(root, patterns) {
  const hash = createHash('sha256')
  const files = [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root })))].sort()
  for (const file of files) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Whether the suite has passed with just these files. */
export function isTested(root) {
  return existsSync(join(root, FILE)) && readFileSync(join(root, FILE), 'utf8').trim() === digestOf(root, TESTED)
}

export function noteTested(root, digest) {
  writeFileSync(join(root, FILE), `${digest}\n`)
}

// npm run bench [-- name ...]: the side-by-side benchmarks of bench/, one after another; each states its target and fails when it misses it.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const folder = new URL('../bench/benchmarks/', import.meta.url)
const all = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0 || wanted.includes('--help')) {
  console.error(`npm run bench [-- ${all.join(' | ')}]`)
  process.exit(2)
}
if (spawnSync('turbo', ['run', 'build', '--output-logs=errors-only'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const failed = (wanted.length > 0 ? wanted : all).filter(
  (name) => spawnSync(process.execPath, [new URL(`${name}.ts`, folder).pathname], { stdio: 'inherit' }).status !== 0,
)
if (failed.length > 0) console.error(`\nmissed or failed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)

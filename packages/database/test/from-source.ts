import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// Sources import each other by the names they will have after the build.
const HOOK = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  try { return next(name, context) } catch (error) {
    if (!name.endsWith('.js')) throw error
    return next(name.slice(0, -2) + 'ts', context)
  }
} })`

const FLAGS = ['-C', 'ws-source', '--experimental-transform-types', '--disable-warning=ExperimentalWarning']

/** Starts a script of this package in a separate process, without a build; `script` is relative to this folder. */
export function startFromSource(
  script: string,
  args: string[],
  env: Record<string, string>,
): ChildProcessByStdio<null, Readable, Readable> {
  const main = fileURLToPath(new URL(script, import.meta.url))
  const hook = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`
  return spawn(process.execPath, [...FLAGS, hook, main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

export async function runFromSource(script: string, args: string[], env: Record<string, string> = {}) {
  const child = startFromSource(script, args, env)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, code }
}

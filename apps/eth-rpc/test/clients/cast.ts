import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch

/** The path of cast; undefined where npm brings none for this machine. */
export const CAST = found(`@foundry-rs/cast-${process.platform}-${ARCHITECTURE}`)

// Its own settings, and those of a project around it, stay outside.
const ENVIRONMENT = { PATH: process.env.PATH, HOME: '/nonexistent', NO_COLOR: '1' }
const LIMIT_MS = 30_000

interface CastOutput {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/** Runs cast; in what it says there is no address, which differs from place to place. */
export function cast(url: string, ...args: readonly string[]): Promise<CastOutput> {
  return new Promise((resolve) => {
    const given = [...args, '--rpc-url', url]
    execFile(String(CAST), given, { env: ENVIRONMENT, timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 }, (failure, out, error) => {
      const code = failure ? Number(failure.code) : 0
      resolve({ code, out: out.replaceAll(url, 'URL'), error: error.replaceAll(url, 'URL') })
    })
  })
}

/** Has cast listen for logs until it is told to stop, and passes on what it says of each. */
export function castListen(url: string, args: readonly string[], hear: (line: string) => void): () => void {
  const child: ChildProcess = spawn(String(CAST), [...args, '--rpc-url', url], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'ignore'] })
  let lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line)
    // It says that last, and nothing in between.
    if (!line.includes('transactionIndex')) return
    hear(lines.join('\n'))
    lines = []
  })
  return () => void child.kill('SIGKILL')
}

function found(name: string): string | undefined {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/cast')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
